/** An entry of a log of runs, and its line: a signed envelope that contains the digest of the line before. */
import { isPlainlySpelled, parseJson } from '../bundle/json.ts'
import type { Lifecycle, Opening, Plan, RunRecord } from '../bundle/record.ts'
import { narrowedBy } from '../bundle/record.ts'
import { runLogEntryProblem } from '../bundle/schema/problem.ts'
import {
  asEnvelope,
  envelopeOf,
  payloadOf,
  type SignedEnvelope,
  type Signer,
} from '../bundle/seal/envelope.ts'
import type { Subjects } from '../bundle/seal/statement.ts'

/** A name, not an address, as that of the signed result. */
export const entryType = 'urn:touchstone:run-log-entry:v1'

export interface RunStart {
  is: 'start'
  target: { name: string; kind: string; baseUrl: string; version?: string }
  contract: RunRecord['contract']
  tool: { name: string; version: string }
  plan: { digest: string; checks: number; narrowed: ReturnType<typeof narrowedBy> }
}

export interface RunResult extends Subjects {
  conformance: RunRecord['conformance']
  gatePassed: boolean
  lifecycle: Lifecycle['lifecycle']
}

export interface RunEnd {
  is: 'end'
  exitCode: number
  /** Null if the run left no bundle. */
  result: RunResult | null
}

interface EntryPlace {
  schemaVersion: 1
  /** Of its line, from 1. */
  number: number
  /** SHA-256, hex, of the line before, without its line feed; null in the first entry. */
  previous: string | null
  /** ISO 8601, UTC. */
  at: string
  /** Id of the run. */
  run: string
}

export type RunLogEntry = EntryPlace & (RunStart | RunEnd)

/** `opening` and `plan` must be redacted. */
export function startOf({ target, contract, tool, run }: Opening, plan: Plan): RunStart {
  const { name, kind, baseUrl, version } = target
  return {
    is: 'start',
    target: { name, kind, baseUrl, ...(version === undefined ? {} : { version }) },
    contract,
    tool: { name: tool.name, version: tool.version },
    plan: { digest: plan.digest, checks: plan.checks.length, narrowed: narrowedBy({ plan, run }) },
  }
}

/** Without its line feed. */
export function signedLine(entry: RunLogEntry, signer: Signer): string {
  return JSON.stringify(envelopeOf(entryType, Buffer.from(JSON.stringify(entry)), signer))
}

export type EntryReading = { entry: RunLogEntry; envelope: SignedEnvelope; keyid: string } | { why: string }

/** Reads one line; the signature is not verified. Never throws. */
export function readEntry(line: string): EntryReading {
  const outer = parseJson(line)
  const envelope = outer.ok ? asEnvelope(outer.value) : null
  const keyid = envelope?.signatures[0]?.keyid
  if (envelope === null || keyid === undefined || line !== asWritten(envelope))
    return { why: 'is no signed entry' }
  if (envelope.payloadType !== entryType)
    return { why: 'is signed as something else than an entry of a log of runs' }
  const text = Buffer.from(payloadOf(envelope)).toString('utf8')
  const inner = parseJson(text)
  if (!inner.ok || !isPlainlySpelled(text, inner.value)) return { why: 'has a payload that is no plain JSON' }
  const problem = runLogEntryProblem(inner.value)
  if (problem !== null) return { why: `is no entry of a log of runs: ${problem}` }
  return { entry: inner.value as unknown as RunLogEntry, envelope, keyid }
}

/** The one form that counts: nobody without the key can change a byte, not even of the last line. */
function asWritten({ payloadType, payload, signatures: [first] }: SignedEnvelope): string {
  const base64 = (text = ''): string => Buffer.from(text, 'base64').toString('base64')
  const signatures = [{ keyid: first?.keyid, sig: base64(first?.sig) }]
  return JSON.stringify({ payloadType, payload: base64(payload), signatures })
}
