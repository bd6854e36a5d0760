import type { Disk } from '../../disk.js'

/**
 * The files of a tsconfig without which types could be others though no source imports them: declarations, scripts, and
 * modules that add to others. The rest of a project is read, and not compiled.
 */
export function ambientFiles(files: readonly string[], disk: Disk): string[] {
  return files.filter((file) => isAmbient(file, disk.read(file))).sort()
}

function isAmbient(file: string, text: string | undefined): boolean {
  if (text === undefined) return false
  if (/\.d\.[^/]*$/.test(file)) return true
  return !/^\s*(?:import|export)\b/m.test(text) || /\bdeclare\s+(?:module|global)\b/.test(text)
}
