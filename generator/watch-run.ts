import type { Command } from './arguments.js'
import { type Cache, holding, type Manifest } from './cache/fresh.js'
import { readParts } from './cache/parts.js'
import { createMemos } from './cache/texts.js'
import { manifestOf, ownFiles, toolOf } from './cache/write-manifest.js'
import { runOf } from './command.js'
import { createDisk, type Seen } from './disk.js'
import type { GeneratedFile } from './generated.js'
import { UsageError } from './options.js'
import { doneLine, printUsageError, report, say } from './report.js'
import { createProjectDocuments } from './source/project/settings.js'
import { writeFiles } from './write.js'

/** Runs a command again and again, each time with what is known of the runs before. */
export interface Runner {
  /** Writes what has changed, and says so or what is wrong. Throws UsageError in the first run only. */
  run(): Promise<void>
  /** Whether all that the last run saw and wrote is still so. */
  isHeld(): boolean
  /** What the last run saw. */
  seen(): Seen
}

export function createRunner(command: Command, cache: Cache | undefined): Runner {
  const own = ownFiles()
  const tool = toolOf(own)
  const documentsOf = createProjectDocuments()
  const { memoOf } = createMemos(cache, tool)
  let parts = cache && readParts(cache)
  let disk = createDisk()
  let manifest: Manifest | undefined

  const generate = async (since: number): Promise<readonly GeneratedFile[]> => {
    const built = await runOf(command, { disk, documentsOf, memoOf, parts, tool }, cache)
    if (built.diagnostics.length > 0) {
      report(built.diagnostics, command)
      return []
    }
    const changed = writeFiles(built.files)
    parts = built.parts
    say(doneLine(built.targets), changed.length === 0, command, since)
    return built.files
  }
  return {
    async run() {
      const first = manifest === undefined
      const since = first ? 0 : performance.now()
      const at = Date.now()
      disk = createDisk(disk.seen)
      const outputs = await generate(since).catch((error: unknown) => {
        if (first || !(error instanceof UsageError)) throw error
        printUsageError(error.message)
        return []
      })
      manifest = manifestOf({ at, seen: disk.seen, outputs, line: '', quiet: false, own })
    },
    isHeld() {
      const held = manifest && holding(manifest)
      if (held) manifest = held
      return held !== undefined
    },
    seen: () => disk.seen,
  }
}
