/** What is signed: an in-toto statement that these two files are the outcome of a run, and what came out. */
import type { LeftOut, RunRecord } from '../record.ts'
import { verdicts } from '../verdict.ts'
import { manifestFile } from '../names.ts'

export const payloadType = 'application/vnd.in-toto+json'
export const statementType = 'https://in-toto.io/Statement/v1'
/** A name, not an address: it belongs to no host, so no server can answer for it. */
export const predicateType = 'urn:touchstone:conformance-result:v1'

/** SHA-256, hex, of the two files that the rest of a run hangs on: all others stand in the manifest. */
export interface Subjects {
  record: string
  manifest: string
}

export const inTotoSubjects = ({ record, manifest }: Subjects) => [
  { name: 'run.json', digest: { sha256: record } },
  { name: manifestFile, digest: { sha256: manifest } },
]

export function statementOf(run: RunRecord, subjects: Subjects) {
  return {
    _type: statementType,
    subject: inTotoSubjects(subjects),
    predicateType,
    predicate: resultOf(run),
  }
}

/** Enough to decide on, for a reader that has nothing but the statement. */
function resultOf(whole: RunRecord) {
  const { run, conformance, gate, exitCode, findings, contract, target, tool, plan, journal } = whole
  const { name, kind, baseUrl, version } = target
  return {
    run,
    conformance,
    gate: { passed: gate.passed, exitCode },
    scope: scopeOf(whole),
    counts: {
      ...countsOf(
        verdicts,
        findings.map(({ verdict }) => verdict),
      ),
      waived: findings.filter(({ waived }) => waived).length,
    },
    contract,
    target: { name, kind, baseUrl, ...(version === undefined ? {} : { version }) },
    tool,
    plan: { digest: plan.digest, checks: plan.checks.length, ...(plan.shard && { shard: plan.shard }) },
    ...(journal === undefined ? {} : { journal }),
  }
}

/** For tools: how much was planned, by whose choice not more, and what of it was not exercised. */
export function scopeOf({ run, plan, findings }: Pick<RunRecord, 'run' | 'plan' | 'findings'>) {
  const { profile, only, optIn } = run
  const reasons = findings.flatMap(({ verdict, reason }) =>
    verdict === 'not-exercised' && reason !== undefined ? [reason] : [],
  )
  return {
    profile,
    only,
    optIn,
    leftOut: Object.fromEntries(plan.leftOut.map(({ by, checks }) => [by, checks.length])) as Partial<
      Record<LeftOut['by'], number>
    >,
    notExercised: countsOf([...new Set(reasons)], reasons),
  }
}

function countsOf<W extends string>(words: readonly W[], all: readonly W[]): Record<W, number> {
  return Object.fromEntries(words.map((word) => [word, all.filter((one) => one === word).length])) as Record<
    W,
    number
  >
}
