/** Whether a merged run is made of the shards that it names: their chains, taken out of its journal, are the same. */
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../spec/json.ts'
import { parseJson } from '../json.ts'
import { journalFile, planFile, recordFile, shardFiles, shardsFolder } from '../names.ts'
import { partsOf, type MergedShard, type Plan, type PlanFile, type RunRecord } from '../record.ts'
import { planProblem, runProblem } from '../schema/problem.ts'
import { sha256 } from '../seal/digest.ts'
import { keyIdOf } from '../seal/envelope.ts'
import { manifestFile } from '../seal/names.ts'
import { beginningLine, chained, contentOf, endLine, linesIn } from '../shards/lines.ts'
import { usedTogether } from '../shards/used.ts'
import { countOf, judged, notVerified, type InspectionLine } from './line.ts'
import { filesIn } from './manifest.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { inspectSignature } from './signature.ts'

/** Null of a run in one piece. */
export function inspectShards(bundle: OpenedBundle, key: KeyObject | null): InspectionLine | null {
  const { record } = bundle
  if (record?.merged === undefined) return null
  const { merged } = record
  const journal = bundle.bytes(journalFile)
  if (journal === null) return notVerified('there is no journal')
  const lines = linesIn(journal).map(contentOf).map(ownerOf)
  const problems = merged.shards.flatMap((shard) =>
    problemsOf(shard, {
      of: merged.of,
      whole: record.plan.digest,
      lines,
      bundle: within(bundle, shard),
      key,
    }).map((problem) => `shard ${shard.number}: ${problem}`),
  )
  // Nothing is counted twice, and nothing is left out.
  const sums = isDeepStrictEqual(record.used, usedTogether(merged.shards))
    ? []
    : ['what was used is not the sum of the shards']
  const signed = merged.shards.filter(({ keyid }) => keyid !== undefined).length
  return judged(
    [...problems, ...sums],
    `${countOf(merged.shards.length, 'shard')} of ${merged.of}: each hash chain rebuilt from the journal, same; ${signed} signed`,
    'the run is not made of the shards that it names',
  )
}

interface Deps {
  of: number
  /** Digest of the whole plan. */
  whole: string
  /** Of the merged journal. */
  lines: readonly Line[]
  /** What is kept of the shard. */
  bundle: OpenedBundle
  key: KeyObject | null
}

function problemsOf(shard: MergedShard, deps: Deps): readonly string[] {
  const { bundle, lines, of, whole } = deps
  const { number, run, startedAt } = shard
  const [plan, recorded, manifest] = [planFile, recordFile, manifestFile].map(bundle.bytes)
  const reading = bundle.json(planFile)
  const { record } = bundle
  if (!plan || !recorded || !manifest)
    return [`${shardFiles.slice(0, 3).join(', ')}: one of them is not there`]
  if (record === null || !reading.ok || planProblem(reading.value) !== null)
    return ['its plan or its record does not fit its schema']
  if (sha256(manifest) !== shard.manifest) return [`its ${manifestFile} is not the one that run.json names`]
  const listed = new Map(
    (filesIn(bundle.json(manifestFile)) ?? []).map(({ path, sha256: digest }) => [path, digest]),
  )
  const { plan: planned, opening } = partsOf(reading.value as unknown as PlanFile)
  const { id, startedAt: began } = record.run
  const own = linesOf(number, of, planned, lines)
  const exchanges = own.filter(({ exchange }) => exchange !== null).length
  const contents = own.map(({ content }) => content)
  const seal = chained(
    plan.toString(),
    [beginningLine(opening), ...contents, endLine(record.run, exchanges)],
    () => {},
  )
  return [
    ...(listed.get(planFile) === sha256(plan) ? [] : ['its plan is not the one in its manifest']),
    ...(listed.get(recordFile) === sha256(recorded) ? [] : ['its record is not the one in its manifest']),
    ...(isDeepStrictEqual(seal, record.journal) ? [] : ['its lines in the journal are not those of its run']),
    ...(isDeepStrictEqual(shard.used, record.used) ? [] : ['what it used is stated otherwise']),
    ...(isDeepStrictEqual([number, of, run, startedAt], [planned.shard?.number, planned.shard?.of, id, began])
      ? []
      : ['it is another shard, or of another run']),
    ...(planned.shard?.plan === whole ? [] : ['it is a part of another plan']),
    ...(shard.keyid === record.signing?.keyid ? [] : ['the key of its signature is stated otherwise']),
    ...signatureProblems(shard, deps),
  ]
}

interface Line {
  content: string
  /** Of an exchange. */
  exchange: number | null
  /** Of the result of a scenario. */
  scenario: unknown
}

function ownerOf(content: string): Line {
  const parsed = parseJson(content)
  const { exchange, scenarioRun } = parsed.ok && isObject(parsed.value) ? parsed.value : {}
  return {
    content,
    exchange: isObject(exchange) ? Number(exchange['id']) : null,
    scenario: isObject(scenarioRun) ? scenarioRun['scenario'] : null,
  }
}

/** Ids of exchanges of shard 2 of 4 are 2, 6, 10 and so on. */
function linesOf(number: number, of: number, plan: Plan, lines: readonly Line[]): readonly Line[] {
  const own = new Set<unknown>(plan.checks.map(({ scenario }) => scenario))
  return lines.filter(({ exchange, scenario }) =>
    exchange === null ? own.has(scenario) : (exchange - number) % of === 0,
  )
}

/** The key of the merged run may be another than that of its shards. */
function signatureProblems({ keyid }: MergedShard, { bundle, key }: Deps): readonly string[] {
  const known = key !== null && keyid === keyIdOf(key) ? key : null
  const { outcome, problems, words } = inspectSignature(bundle, known)
  return outcome === 'broken' ? [words, ...problems] : []
}

/** What is kept of a shard, as if it were a bundle without a journal. */
function within(bundle: OpenedBundle, { number }: MergedShard): OpenedBundle {
  const at = (file: string): string => `${shardsFolder}/${number}/${file}`
  const record = bundle.json(at(recordFile))
  return {
    ...bundle,
    has: (file) => bundle.has(at(file)),
    bytes: (file) => bundle.bytes(at(file)),
    digest: (file) => bundle.digest(at(file)),
    json: (file) => bundle.json(at(file)),
    record: record.ok && runProblem(record.value) === null ? (record.value as unknown as RunRecord) : null,
    chain: null,
    mismatches: [],
  }
}
