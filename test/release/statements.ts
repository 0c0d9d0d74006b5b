/** Signed statements as a run writes them, and as a forger would. */
import { generateKeyPairSync } from 'node:crypto'
import { envelopeOf, keyIdOf, signerOf, type SignedEnvelope } from '../../bundle/seal/envelope.ts'
import { payloadType, statementOf } from '../../bundle/seal/statement.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { runOf } from '../../reports/testing/run.testkit.ts'
import { clauseSets, newestRevision } from '../../spec/clause-sets/index.ts'

const pair = () => generateKeyPairSync('ed25519')
export const release = pair()
export const stranger = pair()

export const subjects = { record: 'a'.repeat(64), manifest: 'b'.repeat(64) }
const hour = 3_600_000
export const hoursAgo = (hours: number): string => new Date(now - hours * hour).toISOString()
const now = Date.now()

const { record } = runOf([])

/** The record of a conformant run of `acme` 4.2.1, one hour old. */
export const good: RunRecord = {
  ...record,
  run: { ...record.run, profile: 'standard', endedAt: hoursAgo(1), lifecycle: 'finished' },
  target: { name: 'acme', kind: 'staging', baseUrl: 'https://acme.example', version: '4.2.1' },
  contract: { revision: newestRevision, digest: clauseSets[newestRevision].digest },
  conformance: 'conformant',
  gate: { ...record.gate, passed: true },
  exitCode: 0,
}

export const ran = (over: Partial<RunRecord['run']>): Partial<RunRecord> => ({
  run: { ...good.run, ...over },
})
export const of = (over: Partial<RunRecord['target']>): Partial<RunRecord> => ({
  target: { ...good.target, ...over },
})
export const failing: Partial<RunRecord> = { conformance: 'nonconformant', exitCode: 1, gate: gate(false) }

export function gate(passed: boolean): RunRecord['gate'] {
  return { ...record.gate, passed }
}

export const payloadText = (over: Partial<RunRecord> = {}): string =>
  JSON.stringify(statementOf({ ...good, ...over }, subjects))

export function envelope(payload = payloadText(), type = payloadType, by = release): SignedEnvelope {
  return envelopeOf(type, Buffer.from(payload), signerOf(keyIdOf(by.publicKey), by.privateKey))
}

/** The file of a run like the good one, but for these members. */
export const stated = (over: Partial<RunRecord> = {}, by = release): string =>
  JSON.stringify(envelope(payloadText(over), payloadType, by))
