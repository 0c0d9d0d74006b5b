/** Heads of logs: published elsewhere, they show later whether the end of a log was cut off or replaced. */
import { isPlainlySpelled, parseJson } from '../bundle/json.ts'
import type { RunLogAt, RunLogs } from './collection.ts'

export interface RunLogHead {
  /** SHA-256, hex, of the first line. */
  log: string
  entries: number
  /** SHA-256, hex, of the last of these lines. */
  sha256: string
}

export interface PublishedHeads {
  schemaVersion: 1
  heads: readonly RunLogHead[]
}

export function headsOf(logs: readonly Pick<RunLogAt, 'id' | 'digests'>[]): readonly RunLogHead[] {
  return logs.flatMap(({ id, digests }) =>
    id === null ? [] : [{ log: id, entries: digests.length, sha256: digests.at(-1) ?? id }],
  )
}

/** Null for what `touchstone log head` does not print. */
export function readHeads(bytes: Buffer): readonly RunLogHead[] | null {
  const text = bytes.toString('utf8')
  const reading = parseJson(text)
  if (!reading.ok || !isPlainlySpelled(text, reading.value)) return null
  const { schemaVersion, heads } = (reading.value ?? {}) as { schemaVersion?: unknown; heads?: unknown }
  return schemaVersion === 1 && Array.isArray(heads) && heads.length > 0 && heads.every(isHead) ? heads : null
}

function isHead(value: unknown): value is RunLogHead {
  const { log, entries, sha256 } = (value ?? {}) as Partial<Record<keyof RunLogHead, unknown>>
  return isDigest(log) && isDigest(sha256) && Number.isSafeInteger(entries) && Number(entries) > 0
}

const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** What the logs do not have although it was published. A log that has grown since has no problem. */
export function headProblems(
  { logs }: Pick<RunLogs, 'logs'>,
  heads: readonly RunLogHead[],
): readonly string[] {
  return heads.flatMap(({ log: id, entries, sha256 }) => {
    const log = logs.find((one) => one.id === id)
    const published = `a head of ${entries} ${entries === 1 ? 'entry' : 'entries'} was published`
    if (log === undefined) return [`the log ${id} is missing, or its first entry was replaced: ${published}`]
    const { path, digests } = log
    if (digests.length < entries)
      return [`${path}: its end was cut off: it has ${digests.length} of ${entries} entries`]
    return digests[entries - 1] === sha256
      ? []
      : [`${path}: line ${entries} is not the one whose head was published`]
  })
}
