/** What is signed: an in-toto statement that these two files are the outcome of a run, and what came out. */
import { scopeOf, tally } from '../../reports/index.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { manifestFile } from './names.ts'

export const payloadType = 'application/vnd.in-toto+json'
const statementType = 'https://in-toto.io/Statement/v1'
/** A name, not an address: it belongs to no host, so nobody can answer for it in our place. */
export const predicateType = 'urn:touchstone:conformance-result:v1'

/** SHA-256, hex, of the two files that the rest of a run hangs on: all others stand in the manifest. */
export interface Subjects {
  record: string
  manifest: string
}

export function statementOf(run: RunRecord, { record, manifest }: Subjects) {
  return {
    _type: statementType,
    subject: [
      { name: 'run.json', digest: { sha256: record } },
      { name: manifestFile, digest: { sha256: manifest } },
    ],
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
    counts: { ...tally(findings), waived: findings.filter(({ waived }) => waived).length },
    contract,
    target: { name, kind, baseUrl, ...(version === undefined ? {} : { version }) },
    tool,
    plan: { digest: plan.digest, checks: plan.checks.length },
    ...(journal === undefined ? {} : { journal }),
  }
}
