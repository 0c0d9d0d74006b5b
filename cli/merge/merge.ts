/** Merges the shards of a run: unites their journals and judges all of it again, so that nothing rests on how it was dealt. */
import { quoteText } from '../../bundle/curl.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openFolder } from '../../bundle/folder/folder.ts'
import { mustBeLeft } from '../../bundle/folder/ledger.ts'
import { createJournalWriter, writeJournalOf } from '../../bundle/journal/writer.ts'
import { counterexamplesFolder, manifestFile } from '../../bundle/names.ts'
import type { Run, RunRecord } from '../../bundle/record.ts'
import { digestOfFile, sha256, filesBelow } from '../../bundle/seal/digest.ts'
import { openForVerification } from '../../bundle/verify/opened-bundle.ts'
import { writing } from '../../bundle/write-run.ts'
import { reportFiles } from '../../reports/index.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { notRun } from '../../suites/runner/outcome/judge.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { lifecycleOf } from '../../suites/runner/outcome/run-record.ts'
import { inOrder, planDigest, planOf, type Scenarios } from '../../suites/runner/plan/plan.ts'
import { notExercised } from '../../suites/scenario/ending.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { reported, printedRun } from '../check/judged-run.ts'
import type { CommandAnswer } from '../command.ts'
import type { MergeOptions } from '../commands/options.ts'
import { changesSince, openSince } from '../diff/diff.ts'
import type { Io } from '../io.ts'
import { mustNotReplace } from '../out-file.ts'
import { readBundle, type ReadBundle } from '../rejudge/read-bundle.ts'
import { signerFrom } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { inspectedParts } from '../verify/verify.ts'

interface Shard extends ReadBundle {
  path: string
  number: number
  of: number
}

/** By number. */
type Shards = readonly [Shard, ...Shard[]]

export function merge(paths: readonly string[], options: MergeOptions, io: Io): CommandAnswer {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, 'service')
  const { out, allowMissing = false } = options
  const [first, ...others] = paths.map(readShard).toSorted((one, other) => one.number - other.number)
  if (first === undefined) throw new UsageError('name the folder of each shard.')
  const shards: Shards = [first, ...others]
  mustNotReplace(out, paths)
  mustFit(shards, allowMissing)
  const merged = mergedRun(shards, scenariosFor(first.run.record), out)
  const folder = openFolder(out, reportFiles, () => mustBeLeft(out))
  try {
    const sealed = writing(folder, () => writeJournalOf(merged, createJournalWriter(folder, first.basis)))
    const redactions = shards.flatMap(({ run }) => run.record.redaction ?? [])
    const counts = redactions.map((one) => one.counts)
    const redaction = {
      counts: total([...new Set(counts.flatMap((one) => Object.keys(one)))], counts),
      disclosed: redactions.some(({ disclosed }) => disclosed),
    }
    const whole = { ...sealed, record: { ...sealed.record, redaction } }
    // A check is in one shard only, and its counterexample in a folder with its name.
    const files = () =>
      new Map(
        shards
          .filter(({ path }) => existsSync(join(path, counterexamplesFolder)))
          .flatMap(({ path }) =>
            filesBelow(path, counterexamplesFolder).map((one) => [path, one.path] as const),
          )
          .map(([path, file]) => [file, readFileSync(join(path, file))]),
      )
    const changes = changesSince(since, first.basis.policy)
    const written = writeReports(whole, { folder, secrets: [], signer, changes, files })
    folder.publish()
    return printedRun(written, out, options, io)
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    folder.release()
  }
}

function readShard(path: string): Shard {
  const bundle = openForVerification(path)
  for (const { about, outcome, words, problems } of inspectedParts(bundle, { key: null, rejudge: false }))
    // What an interrupted shard lacks is not tested in the whole either.
    if (about !== 'run' && outcome !== 'holds' && outcome !== 'open')
      throw new UsageError(
        `${path} is not as its run wrote it (${problems[0] ?? words}): \`touchstone verify ${quoteText(path)}\` lists what is wrong; run that shard again.`,
      )
  const read = readBundle(path)
  const { shard } = read.run.record.plan
  if (shard === undefined)
    throw new UsageError(`${path} is no shard: give the folders that \`touchstone check --shard\` wrote.`)
  return { ...read, path, number: shard.number, of: shard.of }
}

/** What every shard of a run has to share, the most specific first. */
function sharedOf({ of, basis, run: { record } }: Shard): Readonly<Record<string, unknown>> {
  const { contract, tool, target, run, plan } = record
  return {
    'number of shards': of,
    'clause sets or checks': [contract, tool.suite],
    // Each shard starts a simulator of its own.
    target: { ...target, baseUrl: target.kind === 'simulator' || target.baseUrl },
    profile: run.profile,
    selection: run.only.join(' '),
    'opt-ins': run.optIn.toSorted().join(' '),
    seed: run.seed,
    plan: plan.shard?.plan,
    dialect: basis.dialect,
    // Not where its entries are written: each job has a checkout of its own.
    policy: JSON.stringify(basis.policy, (name, value: unknown) => (name === 'at' ? null : value)),
  }
}

function mustFit(shards: Shards, allowMissing: boolean): void {
  const [first, ...others] = shards
  const wanted = sharedOf(first)
  for (const [at, other] of others.entries()) {
    const differs = Object.entries(sharedOf(other)).find((one) => !isDeepStrictEqual(one[1], wanted[one[0]]))
    if (differs !== undefined)
      throw new UsageError(
        `${first.path} and ${other.path} differ in the ${differs[0]}. Run every shard with the same options.`,
      )
    const before = shards[at] ?? first
    if (before.number === other.number)
      throw new UsageError(`${before.path} and ${other.path} are both shard ${other.number}; give each once.`)
  }
  const missing = missingWords(shards)
  const checks = shards.flatMap(({ run }) => run.record.plan.checks.map(({ check }) => check))
  if (missing === null && planDigest(checks) !== wanted['plan'])
    throw new UsageError('the plan was dealt in several ways. Run every shard with the same options.')
  if (missing !== null && !allowMissing)
    throw new UsageError(`${missing}: add them, or give --allow-missing to report them as not tested.`)
}

/** Such as `missing of 4 shards: 2, 3`; null where all are there. */
function missingWords(shards: Shards): string | null {
  const { of } = shards[0]
  const there = new Set(shards.map(({ number }) => number))
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((number) => !there.has(number))
  return missing.length === 0 ? null : `missing of ${of} shards: ${missing.join(', ')}`
}

function mergedRun(shards: Shards, scenarios: Scenarios, out: string): Run {
  const records = shards.map(({ run }) => run.record)
  const [{ run: one, of, basis }] = shards
  const { signing: _, journal: __, ...first } = one.record
  const [starts, ends] = [records.map(({ run }) => run.startedAt), records.map(({ run }) => run.endedAt)]
  const [budgets, used] = [records.map((record) => record.budgets), records.map((record) => record.used)]
  const ceilings = records.map(({ plan }) => plan.ceiling)
  const findings = findingsOf(shards, scenarios)
  const checks = findings.map(({ check, subject, scenario }) => ({ check, subject, scenario }))
  const plan = planOf(checks, scenarios, first.run, total(['requests', 'turns'], ceilings))
  const { origin } = first.run
  const order = new Map(plan.checks.map(({ scenario }, at) => [scenario, at] as const))
  const record: RunRecord = {
    ...first,
    run: {
      ...first.run,
      // The files that its commands name are below the merged folder, those of all shards.
      ...(origin?.command && { origin: { ...origin, command: { ...origin.command, folder: out } } }),
      // The same shards are the same run.
      id: `merged-${sha256(records.map(({ run }) => run.id).join('\n')).slice(0, 32)}`,
      startedAt: starts.toSorted()[0] ?? '',
      endedAt: ends.toSorted().at(-1) ?? '',
    },
    // Each shard was held to its own.
    budgets: { ...first.budgets, ...total(limits, budgets) },
    plan,
    findings,
    scenarioRuns: records
      .flatMap(({ scenarioRuns }) => scenarioRuns)
      .toSorted((a, b) => (order.get(a.scenario) ?? 0) - (order.get(b.scenario) ?? 0)),
    used: { ...total(limits, used), wallSeconds: Math.max(...used.map(({ wallSeconds }) => wallSeconds)) },
    merged: {
      of,
      shards: shards.map(({ path, number, run: { record: own } }) => ({
        number,
        run: own.run.id,
        startedAt: own.run.startedAt,
        manifest: digestOfFile(join(path, manifestFile)).sha256,
        used: own.used,
        ...(own.signing && { keyid: own.signing.keyid }),
      })),
    },
  }
  const journal = shards.flatMap(({ run }) => run.journal).toSorted((a, b) => a.id - b.id)
  const judged = rejudge({ record, journal }, scenarios, basis)
  return { record: { ...judged, run: { ...judged.run, lifecycle: lifecycleOf(judged.findings) } }, journal }
}

const limits = ['requests', 'turns', 'credits'] as const

function total<K extends string>(names: readonly K[], all: readonly Readonly<Partial<Record<K, number>>>[]) {
  const sums = names.map((name) => [name, all.reduce((sum, one) => sum + (one[name] ?? 0), 0)] as const)
  return Object.fromEntries(sums) as Record<K, number>
}

/** Of every check of the whole plan, in its order: each shard names the checks of the others. */
function findingsOf(shards: Shards, scenarios: Scenarios): RunRecord['findings'] {
  const [{ run }] = shards
  const { checks, leftOut } = run.record.plan
  const elsewhere = leftOut.flatMap(({ by, checks: others }) => (by === 'shard' ? others : []))
  const planned = new Set([...checks.map(({ check }) => check), ...elsewhere])
  const found = new Map(shards.flatMap((one) => one.run.record.findings.map((it) => [it.check, it] as const)))
  const { ending } = notExercised('shard-missing', missingWords(shards) ?? '')
  return inOrder(Object.entries(scenarios).map(([id, scenario]) => ({ id, scenario })))
    .flatMap(({ id, scenario }) => notRun(id, scenario, ending))
    .filter(({ check }) => planned.has(check))
    .map((missing) => found.get(missing.check) ?? missing)
}
