/** A run of any kind: stored in its folder while it goes on, then reported, as text or JSON, and as annotations for GitHub. */
import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../../bundle/errors.ts'
import { openFolder, type Folder } from '../../bundle/folder/folder.ts'
import { mustBeLeft, readLedger } from '../../bundle/folder/ledger.ts'
import { lockFile } from '../../bundle/folder/lock.ts'
import { ledgerFile, counterexampleFolder } from '../../bundle/names.ts'
import { plainBasis, type Run, type RunOrigin, type Finding } from '../../bundle/record.ts'
import type { Redactor } from '../../bundle/redaction/redaction.ts'
import { writeRun } from '../../bundle/write-run.ts'
import {
  reportFiles,
  annotations,
  exporters,
  outcomes,
  renderText,
  tally,
  type Beside,
} from '../../reports/index.ts'
import {
  writeReports,
  type WriteOptions,
  type WrittenReports,
  type Defect,
} from '../../reports/write-reports.ts'
import type { Progress } from '../../suites/runner/run-driver.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import { emptyPolicy, type Policy } from '../../suites/policy/policy.ts'
import { realClock } from '../../suites/wire/clock.ts'
import type { CommandAnswer } from '../command.ts'
import { changesSince, openSince, type Judged } from '../diff/diff.ts'
import type { Io } from '../io.ts'
import { signerFrom } from '../seal/signer.ts'
import { version } from '../version.ts'
import { originOf } from './origin.ts'
import { createReporter, type Reporter } from './progress.ts'
import { reproduceOf } from '../../reports/findings/card.ts'
import { adviceOf } from '../../reports/findings/causes.ts'
import { curlLine, evidenceInLog } from '../../reports/findings/exchanges.ts'
import { answerOf } from '../../reports/run/scope.ts'
import { subjectOf } from '../../reports/run/words.ts'
import { rowsOf } from '../../reports/verdicts/clauses.ts'
import { exitCodes } from '../exit-codes.ts'
import { hasPage } from '../out-file.ts'

interface JudgedRunOptions {
  out: string
  since?: string
  signKey?: string
  origin: boolean
  only?: readonly string[]
  quiet?: boolean
  json?: boolean
  verbose?: boolean
}

interface RunDeps {
  seed: number
  version: string
  origin: RunOrigin | undefined
  only: readonly string[] | undefined
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  /** Where the run is being written. */
  folder: string
  onCreate: Ledger['onCreate']
  onGone: Ledger['onGone']
  redactor: Redactor
}

type Ledger = ReturnType<typeof writeRun>['ledger']

export interface PreparedRun {
  /** Written before the first request, with the kind of the target. */
  basis: Parameters<typeof writeRun>[1]
  redactor: Redactor
  run: (deps: RunDeps) => Promise<Run>
  /** What stands behind `--` on the command line, as it may be shown. */
  others?: readonly string[]
  keys?: number
  shown?: (reporter: Reporter) => Reporter
  files?: WriteOptions['files']
  notes?: readonly string[]
  more?: (run: Run) => string
  close?: () => Promise<void>
}

export async function judgedRun(
  options: JudgedRunOptions & { seed?: number; shard?: object },
  judges: Judged,
  io: Io,
  prepare: () => PreparedRun | Promise<PreparedRun>,
): Promise<CommandAnswer> {
  const { out, quiet = false, only } = options
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, judges)
  const {
    basis,
    redactor,
    run,
    others,
    keys,
    shown = (same) => same,
    files,
    close,
    ...more
  } = await prepare()
  const reporter = createReporter(io, quiet, keys)
  const onStop = (): void => {
    reporter.end()
    io.err('Stopping: the results so far are reported. Ctrl-C again stops at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', onStop, { once: true })
  try {
    const folder = openFolder(out, reportFiles, () => mustBeLeft(out))
    try {
      const judging = { kind: basis.kind, ...redactor.value(plainBasis(basis)) }
      const writer = writeRun(folder, judging, io.stopped)
      const shownTo = shown(reporter)
      // Shards are merged only if all have the same seed.
      const seed = options.seed ?? (options.shard ? 1 : randomInt(2 ** 31 - 1))
      const origin = options.origin ? startedBy(io, folder.out, others) : undefined
      const onProgress = (progress: Progress): void => {
        // The plan is stored before the first request, so that it cannot be reduced later.
        if (progress.is === 'planned' || progress.is === 'exchange' || progress.is === 'scenario-run')
          writer.on(progress)
        shownTo.on(progress)
      }
      const about = { seed, version: version(), origin: redactor.value(origin), only, redactor, onProgress }
      const done = await run({ ...about, folder: folder.path, signal: writer.signal, ...writer.ledger })
      const kept = writer.finish(done)
      reporter.end()
      for (const note of more.notes ?? []) io.err(`${note}\n`)
      const beside = { secrets: redactor.secrets(), changes: changesSince(since, basis.policy), files }
      const written = writeReports(kept, { folder, signer, ...beside })
      folder.publish()
      const print = { ...options, annotate: judges === 'service', more: more.more?.(written.run) }
      return printedRun(written, folder.out, print, io)
    } catch (error) {
      throw reported(error, folder, io)
    } finally {
      folder.release()
    }
  } finally {
    io.stopped.removeEventListener('abort', onStop)
    reporter.end()
    await close?.()
  }
}

/** Options that belong to one run, and those of them without a value. */
const ofOneRun = new Set(['--only', '--seed', '--out', '--since', '--sign-key', '--shard'])
const ofOnePrint = new Set(['--json', '--quiet', '--verbose', '--no-origin'])

function startedBy({ started, env }: Io, folder: string, others: readonly string[] = []): RunOrigin {
  const end = started.words.indexOf('--')
  const own = started.words.slice(0, end < 0 ? started.words.length - others.length : end)
  const words = own.filter((word, at) => {
    const [name = ''] = word.split('=')
    return !ofOneRun.has(name) && !ofOnePrint.has(name) && !ofOneRun.has(own[at - 1] ?? '')
  })
  const all = others.length === 0 ? words : [...words, '--', ...others]
  const command = { start: started.as, words: all, folder }
  return { ...originOf(env), ...(words.length > 0 && { command }) }
}

/** Errors that say that nothing was judged: the configuration is wrong, or nothing answers. */
const beforeAnything: readonly string[] = [
  'ConfigurationError',
  'TargetUnreachable',
  'UsageError',
  'SecretLeft',
]

/**
 * Clears the folder of a run that threw before anything was judged, or that would contain a secret, but for the ledger that
 * `cleanup` needs; prints where the rest of the run is, and returns the error.
 */
export function reported(error: unknown, folder: Folder, io: Pick<Io, 'err'>): unknown {
  const { path } = folder
  if (!existsSync(path)) return error
  if (error instanceof Error && beforeAnything.includes(error.name)) {
    if (readLedger(path).length === 0) {
      folder.discard()
      return error
    }
    for (const name of readdirSync(path))
      if (name !== ledgerFile && name !== lockFile) rmSync(join(path, name), { recursive: true })
  }
  // A BundleError names the folder itself.
  if (!(error instanceof BundleError)) io.err(`The incomplete run is in ${path}.\n`)
  return error
}

/** The policy of a run without a target file. Throws a ConfigurationError. */
export const policyAt = (path: string | undefined, otherwise = emptyPolicy): Policy =>
  path === undefined ? otherwise : loadPolicy(path, realClock().wall().slice(0, 10))

interface PrintOptions {
  json?: boolean
  verbose?: boolean
  annotate?: boolean
  more?: string
}

export function printedRun(
  { run, beside, defects }: WrittenReports,
  folder: string,
  { json, verbose = false, annotate = true, more = '' }: PrintOptions,
  io: Io,
): CommandAnswer {
  // Data goes to stdout; with JSON, everything else is a message.
  if (annotate && io.env['GITHUB_ACTIONS'] === 'true') (json ? io.err : io.out)(annotations(run))
  if (json) io.err(more)
  const exitCode = reportDefects(defects, folder, io, run.record.exitCode)
  const { colour, width } = io
  return {
    exitCode,
    text: () =>
      renderText(run, {
        colour,
        width,
        folder,
        beside,
        hasPage: hasPage(folder),
        verbose,
      }) + more,
    json: jsonSummary(run, { exitCode, folder, beside }),
  }
}

export function reportDefects(defects: readonly Defect[], place: string, io: Io, otherwise: number): number {
  for (const { what, why } of defects)
    io.err(
      `internal error of Touchstone, please report it: ${what} could not be made (${why}); what could is in ${place}.\n`,
    )
  return defects.length === 0 ? otherwise : exitCodes.ourFault
}

function jsonSummary(
  run: Run,
  { exitCode, folder, beside }: { exitCode: number; folder: string; beside: Beside },
) {
  const { record } = run
  const rows = rowsOf(run)
  const { passed, because, stalePolicy } = record.gate
  const failures = rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
  const { shard } = record.plan
  return {
    schemaVersion: 1,
    shard: shard && { number: shard.number, of: shard.of },
    conformance: record.conformance,
    gate: passed ? 'passed' : 'failed',
    exitCode,
    reason: passed ? answerOf(record).means : [...new Set([...because, ...stalePolicy])].join('; '),
    counts: { ...outcomes(rows), verdicts: tally(rows) },
    failures: failures.map((finding) =>
      failureOf(finding, run, (file) => (beside.files.has(file) ? `${folder}/${file}` : null)),
    ),
    inconclusive: rows.flatMap(({ verdict, check, detail = null, follows = null }) =>
      verdict === 'inconclusive' ? [{ check, detail, follows }] : [],
    ),
    reports: {
      folder,
      ...Object.fromEntries(exporters.map(({ name, file }) => [name, `${folder}/${file}`])),
    },
  }
}

/** `script` is null if no counterexample was written; `reproduce` is a line for a shell. */
function failureOf(finding: Finding, run: Run, written: (file: string) => string | null) {
  const { check, subject, level, verdict, waived, expected, got, detail, fingerprint, attempts } = finding
  const { record, journal } = run
  const first = journal.find(({ id, inbound }) => id === finding.evidence[0] && !inbound)
  return {
    check,
    clause: subject,
    sentence: subjectOf(subject, record).text,
    level,
    verdict,
    waived: waived !== undefined,
    attempts: attempts ?? null,
    expected: expected ?? null,
    got: got ?? detail ?? null,
    ...adviceOf(finding, run),
    fingerprint: fingerprint ?? null,
    exchanges: evidenceInLog(finding, journal, record.target),
    reproduce: reproduceOf(finding, run) ?? (first ? curlLine(first, record) : null),
    script: written(`${counterexampleFolder(check)}/repro.sh`),
  }
}
