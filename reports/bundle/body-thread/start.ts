/** Starts the thread that reads and hashes the bodies of a long run while its journal is parsed. */
import { readdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { evidenceFolder, isDigest } from '../journal/evidence.ts'
import { journalFile } from '../names.ts'
import { bodyTable, sharedBodies, type BodyTable } from './table.ts'
import type { BodyWork } from './thread.ts'

export interface BodyThread {
  take: BodyTable['take']
  stop: () => void
}

/** Bodies from which on a thread saves more time than its start takes. */
const least = 2_000

/** `path`: the folder of the run. Null where a thread would save no time. */
export function startBodyThread(path: string): BodyThread | null {
  const digests = availableParallelism() < 2 ? [] : bodiesIn(path)
  if (digests.length < least) return null
  const bodies = sharedBodies(digests)
  const work: BodyWork = { journal: join(path, journalFile), folder: join(path, evidenceFolder), bodies }
  const cache = getCompileCacheDir()
  const thread = new Worker(new URL(`thread${import.meta.url.slice(-3)}`, import.meta.url), {
    workerData: work,
    execArgv: [],
    // What was compiled before is not compiled again, which would take twice the memory.
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
  })
  // A body that it did not read is read where it is asked for.
  thread.on('error', () => undefined)
  thread.unref()
  return { take: bodyTable(bodies).take, stop: () => void thread.terminate() }
}

function bodiesIn(path: string): readonly string[] {
  try {
    return readdirSync(join(path, evidenceFolder)).filter(isDigest)
  } catch {
    return []
  }
}
