/** The shards that a command line names: each as it was written, and all of one plan. */
import { isDeepStrictEqual } from 'node:util'
import type { Merged, MergedShard, Shard } from '../../reports/bundle/record.ts'
import { sha256 } from '../../reports/bundle/seal/digest.ts'
import { manifestFile } from '../../reports/bundle/seal/names.ts'
import { openForVerification } from '../../reports/bundle/verify/opened-bundle.ts'
import { planDigest } from '../../suites/runner/plan/plan.ts'
import { readBundle, type ReadBundle } from '../rejudge/read-bundle.ts'
import { UsageError } from '../usage-error.ts'
import { inspections } from '../verify/inspections.ts'
import { version } from '../version.ts'

export interface ReadShard extends ReadBundle {
  path: string
  shard: Shard
  /** What the merged run says of it. */
  summary: MergedShard
}

interface Given {
  /** The policy of the shards is not used, so it may differ. */
  otherPolicy: boolean
  allowMissing: boolean
}

/** By number. Throws a UsageError for shards that were altered, do not fit one another, or are not all there. */
export function readShards(paths: readonly string[], given: Given): readonly ReadShard[] {
  const shards = paths.map(readShard)
  const [first, ...others] = shards
  if (first === undefined) throw new UsageError('name the folder of each shard.')
  for (const other of others) mustBeLike(first, other, given)
  const sorted = shards.toSorted((one, other) => one.shard.number - other.shard.number)
  mustBeDifferent(sorted)
  if (!given.allowMissing) mustBeAll(sorted)
  return sorted
}

/** Numbers of the shards that are not there. */
export function missingOf({ of, shards }: Pick<Merged, 'of' | 'shards'>): readonly number[] {
  const there = new Set(shards.map(({ number }) => number))
  return Array.from({ length: of }, (_, at) => at + 1).filter((number) => !there.has(number))
}

function readShard(path: string): ReadShard {
  const bundle = openForVerification(path)
  if (bundle.cutOff) throw new UsageError(`${path}: this run was cut off; run that shard again.`)
  const { record } = bundle
  if (record !== null && record.tool.version !== version())
    throw new UsageError(
      `${path} is of version ${record.tool.version}, and this is ${version()}: merge with the version that ran the shards.`,
    )
  const { signature, files, manifest, schema, plan, journal, evidence, record: about, answers } = inspections
  for (const inspect of [signature, files, manifest, schema, plan, journal, evidence, about, answers]) {
    const { outcome, words, problems } = inspect(bundle, { key: null, rejudge: false })
    if (outcome !== 'holds' && outcome !== 'open')
      throw new UsageError(
        `${path} is not as its run wrote it (${problems[0] ?? words}): \`touchstone verify ${path}\` lists what is wrong; run that shard again.`,
      )
  }
  const read = readBundle(path)
  const { run, used, signing, plan: planned } = read.run.record
  const { shard } = planned
  if (shard === undefined)
    throw new UsageError(`${path} is no shard: give the folders that \`touchstone check --shard\` wrote.`)
  const summary: MergedShard = {
    number: shard.number,
    run: run.id,
    startedAt: run.startedAt,
    manifest: sha256(bundle.bytes(manifestFile) ?? ''),
    used,
    ...(signing && { keyid: signing.keyid }),
  }
  return { ...read, path, shard, summary }
}

interface Question {
  what: string
  read: (shard: ReadShard) => unknown
  /** As words, where the value is worth printing. */
  shown?: (shard: ReadShard) => string
}

const aboutRun = (what: string, read: (shard: ReadShard) => string | number | undefined): Question => ({
  what,
  read,
  shown: (shard) => String(read(shard) ?? 'none'),
})

/** What every shard of a run has to share. The most specific first. */
const questions: readonly Question[] = [
  aboutRun('number of shards', ({ shard }) => shard.of),
  aboutRun('contract', ({ run }) => run.record.contract.revision),
  { what: 'digest of the clauses', read: ({ run }) => run.record.contract.digest },
  { what: 'further clause sets', read: ({ run }) => run.record.otherSets },
  { what: 'suite of checks', read: ({ run }) => run.record.tool.suite },
  aboutRun('target', ({ run }) => run.record.target.name),
  aboutRun('kind of target', ({ run }) => run.record.target.kind),
  aboutRun('base URL', ({ run: { record } }) =>
    // Each shard starts a simulator of its own.
    record.target.kind === 'simulator' ? 'simulator' : record.target.baseUrl,
  ),
  aboutRun('version of the target', ({ run }) => run.record.target.version),
  aboutRun('vendor', ({ run }) => run.record.target.vendor),
  { what: 'identifiers', read: ({ run }) => run.record.target.identifiers },
  { what: 'target file', read: ({ run }) => run.record.target.fileDigest },
  aboutRun('faults and variants', ({ run }) => run.record.target.modifications?.join(' ')),
  aboutRun('profile', ({ run }) => run.record.run.profile),
  aboutRun('selection', ({ run }) => run.record.run.only.join(' ') || 'none'),
  aboutRun('opt-ins', ({ run }) => run.record.run.optIn.toSorted().join(' ') || 'none'),
  aboutRun('seed', ({ run }) => run.record.run.seed),
  { what: 'plan', read: ({ shard }) => shard.plan },
  { what: 'dialect', read: ({ basis }) => basis.dialect },
]

const policy: Question = {
  what: 'policy',
  // Not where its entries are written: each job has a checkout of its own.
  read: ({ basis }) => JSON.stringify(basis.policy, (name, value: unknown) => (name === 'at' ? null : value)),
}

function mustBeLike(first: ReadShard, other: ReadShard, { otherPolicy }: Given): void {
  const asked = otherPolicy ? questions : [...questions, policy]
  const differing = asked.find(({ read }) => !isDeepStrictEqual(read(first), read(other)))
  if (differing === undefined) return
  const { what, shown } = differing
  const values = shown === undefined ? '' : `: ${shown(first)} and ${shown(other)}`
  const advice = what === 'policy' ? ', or give one to merge with --policy' : ''
  throw new UsageError(
    `${first.path} and ${other.path} differ in the ${what}${values}. Run every shard with the same options${advice}.`,
  )
}

/** `shards`: by number. */
function mustBeDifferent(shards: readonly ReadShard[]): void {
  const seen = new Map<string, ReadShard>()
  for (const [at, one] of shards.entries()) {
    const before = shards[at - 1]
    const { number, of } = one.shard
    if (before?.shard.number === number)
      throw new UsageError(
        `${before.path} and ${one.path} are both shard ${number} of ${of}; give each once.`,
      )
    for (const { check } of one.run.record.plan.checks) {
      const other = seen.get(check)
      if (other)
        throw new UsageError(
          `${other.path} and ${one.path} both ran ${check}: the plan was dealt in two ways. Run every shard with the same options.`,
        )
      seen.set(check, one)
    }
  }
}

function mustBeAll(shards: readonly ReadShard[]): void {
  const of = shards[0]?.shard.of ?? 0
  const missing = missingOf({ of, shards: shards.map(({ summary }) => summary) })
  if (missing.length > 0) {
    const which = missing.length === 1 ? `shard ${missing[0]}` : `shards ${missing.join(', ')}`
    const verb = missing.length === 1 ? 'is' : 'are'
    throw new UsageError(
      `${which} of ${of} ${verb} missing: add the folder, or give --allow-missing to report the checks as not tested.`,
    )
  }
  const checks = shards.flatMap(({ run }) => run.record.plan.checks.map(({ check }) => check))
  if (planDigest(checks) !== shards[0]?.shard.plan)
    throw new UsageError(
      'the shards are not, together, the whole plan: it was dealt in several ways. Run every shard with the same options.',
    )
}
