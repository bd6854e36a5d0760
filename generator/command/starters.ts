import { readFileSync } from 'node:fs'

/**
 * Returns the processes that started this one, nearest first: the parent, and that of each shell and script of package.json in between,
 * which do not end when npm or another program is killed that started them. Another result later means that one of them has ended.
 */
export function startersOf(): string {
  const pids = [process.ppid]
  for (let pid = process.ppid; isBetween(pid); ) {
    pid = Number(/^PPid:\s*(\d+)/m.exec(readProcess(pid, 'status'))?.[1] ?? 0)
    pids.push(pid)
  }
  return pids.filter(isRunning).join(' ')
}

/** True for `sh -c …`, and for a process below a package manager, which sets the variable for all that a script starts. */
function isBetween(pid: number): boolean {
  return (
    /^[^\0]*sh\0-c\0/.test(readProcess(pid, 'cmdline')) ||
    /(?:^|\0)npm_lifecycle_event=/.test(readProcess(pid, 'environ'))
  )
}

/** Returns an empty text where the system has no such files: there, a shell is mostly replaced by the only program that it runs. */
function readProcess(pid: number, file: 'status' | 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** On Windows a process keeps the number of a parent that has ended. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
