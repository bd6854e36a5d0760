import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.js'
import { temporaryFolder } from './temporary-folder.js'

/** Returns a new folder `rpc-gen` with the files of this project that git has or would add. */
export function copyProject(): string {
  const folder = join(temporaryFolder('clone'), 'rpc-gen')
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 24 }).split('\0')
  for (const path of paths)
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
  return folder
}

/** The same with the packages of this project, so that nothing is downloaded. */
export function copyInstalledProject(): string {
  const folder = copyProject()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

/** The same as a git repository with one commit. */
export function createRepository(): string {
  const folder = copyProject()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message=all')
  return folder
}
