/** Verifies every run bundle in a folder, and writes the pages of those that count. */
import type { KeyObject } from 'node:crypto'
import { resolve, sep } from 'node:path'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { countedAmount } from '../../reports/chart/wording.ts'
import { feedsOf, pagesOf, siteOf, type RunsSite } from '../../reports/runs-site/index.ts'
import { openRunLogs, runsByVersion } from '../../reports/run-log/index.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { folderFor, type OutputFolder } from '../certify/output-folder.ts'
import { UsageError } from '../usage-error.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { mustBeReadable, runsIn } from './found.ts'
import { runPagesOf } from './run-pages.ts'

export interface SiteOptions {
  out: string
  key?: readonly string[]
  rejudge?: true
  log?: string
  url?: string
  json?: true
}

const ours =
  /^(?:(?:index|clauses|waivers|not-counted|search)\.html|feed\.(?:xml|json)|(?:targets|compare|clauses|runs)\/[\w-]+\.html)(?:\.part)?$/

/** Returns the exit code. Throws a UsageError for a folder that cannot be read or written, and for what is no key. */
export function site(folder: string, options: SiteOptions, io: Io): number {
  const now = Date.now()
  const keys = (options.key ?? []).map(publicKeyAt)
  mustBeReadable(folder)
  mustBeOutside(options.out, folder)
  const place = folderFor(options.out, folder, ours)
  const how = { keys, rejudge: options.rejudge === true, now }
  const logs = options.log === undefined ? null : verifiedLog(options.log, keys)
  const { entries, notCounted } = runsIn(folder, how, progress(io))
  const made = siteOf(entries, {
    notCounted: [...notCounted, ...(logs?.notCounted ?? [])],
    log: logs?.log ?? null,
    keys: keys.map(keyIdOf),
    rejudged: how.rejudge,
    builtAt: new Date(now).toISOString(),
    url: options.url ?? null,
  })
  writePages(made, folder, place)
  report(made, entries.length, options, io)
  return entries.length > 0 ? exitCodes.ok : exitCodes.lessExercised
}

/** The pages would lie among what the next site searches. */
function mustBeOutside(out: string, folder: string): void {
  if (!`${resolve(out)}${sep}`.startsWith(`${resolve(folder)}${sep}`)) return
  throw new UsageError(`--out ${out}: this is in ${folder}, which is searched for runs; name another folder.`)
}

/** A log that is not verified counts for nothing, and is listed with the bundles that do not. */
function verifiedLog(path: string, keys: readonly KeyObject[]) {
  const { logs, problems } = openRunLogs(path, keys.length === 0 ? null : keys)
  if (problems.length === 0) return { log: runsByVersion(logs), notCounted: [] }
  return { log: null, notCounted: [{ place: path, why: 'a log of runs that is not verified', problems }] }
}

function writePages(made: RunsSite, folder: string, place: OutputFolder): void {
  const changes = new Map<string, string>()
  place.write(runPagesOf(made, folder, changes))
  place.write(feedsOf(made, changes))
  place.write(pagesOf(made))
}

/** On a terminal, how many bundles were verified so far. */
function progress({ live, err }: Io): () => void {
  let done = 0
  return () => {
    done++
    if (live && done % 10 === 0) err(`\r${done} bundles verified\u001b[K\r`)
  }
}

function report(
  { targets, notCounted, keys }: RunsSite,
  counted: number,
  { out, json }: SiteOptions,
  { out: print, err }: Io,
): void {
  if (json) {
    print(
      `${JSON.stringify({ schemaVersion: 1, counted, targets: targets.length, keys, notCounted }, null, 2)}\n`,
    )
    return
  }
  const words =
    keys.length === 0
      ? 'signatures not checked (give --key)'
      : `signed with ${countedAmount(keys.length, 'key')}`
  print(
    `${countedAmount(counted, 'run')} of ${countedAmount(targets.length, 'target')}, ${words}: ${out}/index.html\n`,
  )
  if (notCounted.length > 0)
    err(`${countedAmount(notCounted.length, 'bundle')} not counted: see ${out}/not-counted.html\n`)
}
