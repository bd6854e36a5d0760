import { dirname, relative } from 'node:path'

/** Returns a path as a file in a folder imports it, with its ending: `./procedures/orders.ts`. */
export function importPath(folder: string, path: string): string {
  const relativePath = relativeTo(folder, path)
  // The name of a folder may begin with a dot.
  return /^\.\.?(?:\/|$)/.test(relativePath) ? relativePath : `./${relativePath}`
}

/** Returns a folder and those above it, the nearest first. */
export function foldersFrom(folder: string): string[] {
  const folders = [folder]
  for (const each of folders) if (dirname(each) !== each) folders.push(dirname(each))
  return folders
}

/** Returns a folder and those above it, up to the first one that a test accepts; the folder alone if it accepts none. */
export function foldersUpTo(folder: string, isLast: (folder: string) => boolean): string[] {
  const folders = foldersFrom(folder)
  return folders.slice(0, Math.max(folders.findIndex(isLast), 0) + 1)
}

/** Returns a path with forward slashes, which the compiler has on every platform. */
export function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Returns a path for messages: relative to the working directory, with forward slashes. */
export function relativeTo(cwd: string, path: string): string {
  return slashes(relative(cwd, path)) || '.'
}
