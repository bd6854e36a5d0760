import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { UsageError } from '../diagnostics/diagnostic.js'

/**
 * Returns the text of a file, by its path from the working directory, in a git revision such as `origin/main`. Git runs without a shell. Throws UsageError outside of a
 * repository, for an unknown revision, and if the revision does not have the file.
 */
export async function readAtRevision(file: string, revision: string): Promise<string> {
  if (revision === '' || revision.startsWith('-')) throw new UsageError(`--base: '${revision}' is not a git revision`)
  await git(['rev-parse', '--git-dir'], ({ message }) => `--base needs a git repository: ${message}`)
  const commit = await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], () => {
    return `--base: the repository has no revision ${revision}: fetch it first`
  })
  return git(['cat-file', 'blob', `${commit.trim()}:./${file}`], () => {
    return `--base: ${revision} has no file ${file}: write it there with --lock and commit it`
  })
}

async function git(
  args: readonly string[],
  explain: (failure: { readonly message: string }) => string,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', [...args], { maxBuffer: 2 ** 30 })
    return stdout
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { readonly stderr?: string }
    if (code === 'ENOENT') throw new UsageError('--base needs git, which is not installed')
    const [line = ''] = stderr.split('\n')
    throw new UsageError(explain({ message: line.replace(/^fatal: /, '') }))
  }
}
