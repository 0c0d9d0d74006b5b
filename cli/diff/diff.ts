/** Recorded runs as they lie in their folders, with what lies beside them, and what changed from one to the next. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { quoteText } from '../../bundle/curl.ts'
import { counterexampleFolder, manifestFile, recordFile } from '../../bundle/names.ts'
import { BundleError } from '../../bundle/errors.ts'
import { plainOrRefused } from '../../bundle/folder/plain-file.ts'
import { changesFile } from '../../bundle/names.ts'
import type { Run, RunRecord } from '../../bundle/record.ts'
import { changesProblem } from '../../bundle/schema/problem.ts'
import { digestOfFile, filesBelow } from '../../bundle/seal/digest.ts'
import { filesIn } from '../../bundle/verify/manifest.ts'
import { compare, type Comparison, type PolicedRun } from '../../reports/diff/compare.ts'
import { changesAnswer, renderDiff } from '../../reports/diff/document.ts'
import { plainWords } from '../../reports/document/blocks.ts'
import type { Beside } from '../../reports/index.ts'
import { knownChecks } from '../../suites/runner/plan/selection.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { parseJson } from '../../suites/wire/exchange.ts'
import type { DiffOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { writeOut } from '../out-file.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'

export interface Earlier {
  run: PolicedRun
  /** Where it ends, in words, if it was cut short. */
  ends: string | null
  /** In words, if its record was changed since. */
  changed?: string | undefined
  /** Paths of its counterexamples, below its folder. */
  files: ReadonlySet<string>
}

/** Throws a UsageError that names the file that cannot be read. */
export function openEarlier(path: string): Earlier {
  const { run, ends, basis } = readBundle(path)
  const files = new Set(counterexamplesIn(path))
  return { run: { ...run, policy: basis.policy }, ends, changed: changedSince(path), files }
}

function changedSince(path: string): string | undefined {
  const manifest = join(path, manifestFile)
  const files = existsSync(manifest) ? filesIn(parseJson(plainOrRefused(manifest).toString('utf8'))) : null
  const sealed = files?.find((file) => file.path === recordFile)
  return sealed && sealed.sha256 !== digestOfFile(join(path, recordFile)).sha256
    ? `${recordFile} is not as it was written: \`touchstone verify ${quoteText(path)}\` shows what changed.`
    : undefined
}

/** Paths of counterexamples, below the folder. */
export function counterexamplesIn(path: string): readonly string[] {
  const folder = dirname(counterexampleFolder('any'))
  return existsSync(join(path, folder)) ? filesBelow(path, folder).map((file) => file.path) : []
}

/** For reports of a run in this folder. Throws a UsageError. */
export function besideIn(path: string, made: Earlier, since?: string): Beside {
  const { run, files, ends: cut, changed } = made
  const ends = cut ?? changed
  const earlier = openSince(since, judgedBy(run))
  const changes = earlier === null ? changesIn(path) : comparisonOf(earlier, made)
  return { files, ...(changes ? { changes } : {}), ...(ends === undefined ? {} : { ends }) }
}

/** What a run with `--since` found to have changed; null of one without. */
function changesIn(path: string): Comparison | null {
  const file = join(path, changesFile)
  if (!existsSync(file)) return null
  const reading = parseJson(plainOrRefused(file).toString('utf8'))
  const reported = reading.ok ? changesProblem(reading.value) : `: ${reading.why}`
  if (reported !== null) throw new UsageError(`${file}${reported}. Take the folder as the run left it.`)
  return (reading.ok ? reading.value : null) as unknown as Comparison | null
}

/** With what this version knows of the suite that made the later one. */
export function comparisonOf(before: Earlier, after: Earlier): Comparison {
  const suite = suiteOf(after.run.record)
  return compare(before.run, after.run, {
    ends: { before: before.ends, after: after.ends },
    files: after.files,
    ...(suite === null ? {} : { suite }),
  })
}

/** All checks of the suite of a run; null where it was another suite than this version has. */
function suiteOf(record: RunRecord): ReadonlySet<string> | null {
  const scenarios = scenariosFor(record)
  if (toolOf(version(), scenarios).suite !== record.tool.suite) return null
  return new Set(knownChecks(scenarios, 'exhaustive').map(({ check }) => check))
}

/** What compares a new run with the earlier one; null without one. */
export function changesSince(since: Earlier | null, policy: object) {
  if (since === null) return null
  return (run: Run, files: ReadonlySet<string>, ends: string | null): Comparison =>
    comparisonOf(since, { run: { ...run, policy }, ends, files })
}

export type Judged = 'receiver' | 'client' | 'traffic' | 'service'

const judgedBy = ({ record: { target } }: Run): Judged =>
  target.kind === 'receiver' || target.kind === 'client' || target.kind === 'traffic'
    ? target.kind
    : 'service'

/**
 * Null where no folder is named. Throws a UsageError for one that holds no run, or one of another kind: a run costs
 * too much to find that out when it has ended.
 */
export function openSince(path: string | undefined, judges: Judged): Earlier | null {
  if (path === undefined) return null
  if (path === '') throw new UsageError('--since: name the folder of an earlier run, or leave it out.')
  const earlier = opened(path)
  const kind = judgedBy(earlier.run)
  if (kind === judges) return earlier
  throw new UsageError(`--since ${path}: that run judged a ${kind}, and this one judges a ${judges}.`)
}

function opened(path: string): Earlier {
  try {
    return openEarlier(path)
  } catch (error) {
    if (error instanceof BundleError) throw new UsageError(`--since ${path}: ${error.message}`)
    throw error
  }
}

const codes = {
  same: exitCodes.ok,
  worse: exitCodes.nonconformant,
  less: exitCodes.lessExercised,
} as const satisfies Record<Comparison['outcome'], number>

/** `touchstone diff`: gives the exit code. Throws a UsageError for a folder without a run, and for two that cannot be compared. */
export function diff(
  [earlier = '', later = '']: readonly string[],
  { format, out }: DiffOptions,
  io: Io,
): number {
  const [before, after] = [openEarlier(earlier), openEarlier(later)]
  for (const { changed } of [before, after]) if (changed) io.err(`${changed}\n`)
  if (after.run.record.run.endedAt < before.run.record.run.startedAt)
    io.err(`${later} is older than ${earlier}; name the earlier run first.\n`)
  const comparison = comparisonOf(before, after)
  if (comparison.obstacle !== null)
    throw new UsageError(
      `${earlier} and ${later} cannot be compared: ${comparison.obstacle}. Name two runs of one target.`,
    )
  const { colour, width } = io
  const answer = renderDiff(comparison, format, { colour: colour && out === undefined, width })
  if (out === undefined) io.out(answer)
  else {
    writeOut(out, answer)
    const { sign, word, detail } = changesAnswer(comparison)
    io.err(`${sign} ${word}: ${plainWords(detail)}. Written to ${out}.\n`)
  }
  return codes[comparison.outcome]
}
