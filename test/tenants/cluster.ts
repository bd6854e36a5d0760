import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startProcess } from '../support/process.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// A server of Postgres in a temporary folder, on 127.0.0.1 alone: a service of the machine is neither needed nor touched.

/** Debian does not have its programs on the path. */
const bin = [...(process.env['PATH'] ?? '').split(':'), ...versions()].find((each) => existsSync(join(each, 'initdb')))

function versions(): string[] {
  const all = '/usr/lib/postgresql'
  return existsSync(all) ? readdirSync(all).map((version) => join(all, version, 'bin')) : []
}

/** The user of the server if this process is root's, for which Postgres refuses to run. */
function findUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || 'NaN')
  return { uid: idOf('-u'), gid: idOf('-g') }
}

const user = findUser()

/** Why there is no server; undefined if there can be one. */
export const missingPostgres = !bin
  ? 'there is no Postgres on this machine'
  : user && Number.isNaN(user.uid)
    ? 'Postgres does not run as root, and this machine has no user postgres'
    : undefined

export interface Cluster {
  readonly port: number
  /** The password of every role. */
  readonly password: string
  /** How many statements that begin with a text the server has received. */
  count(statement: string): number
  stop(): Promise<void>
}

/** Starts a new server with the superuser `owner`. */
export async function startCluster(): Promise<Cluster> {
  const folder = temporaryFolder('postgres')
  const data = join(folder, 'data')
  const password = 'for this test'
  const secret = join(folder, 'password')
  writeFileSync(secret, password)
  mkdirSync(data, { mode: 0o700 })
  if (user) for (const path of [folder, data, secret]) chownSync(path, user.uid, user.gid)
  const as = { cwd: folder, ...user }
  const program = (name: string) => join(bin ?? '', name)
  const flags = ['--auth=scram-sha-256', `--pwfile=${secret}`, '--encoding=UTF8', '--no-locale', '--no-sync']
  execFileSync(program('initdb'), ['-D', data, '-U', 'owner', ...flags], { ...as, stdio: 'pipe' })
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    log_statement: 'all',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = await startProcess([program('postgres'), '-D', data, ...options], {
    ...as,
    isReady: (log) => log.includes('ready to accept connections'),
  })
  return {
    port,
    password,
    count: (statement) => server.log().split(new RegExp(`(?:statement|execute .*?): ${statement}`)).length - 1,
    stop: async () => {
      // Ends the connections, too.
      server.kill('SIGINT')
      await server.ended
    },
  }
}
