/** Reads and verifies a log of runs: what was dropped, altered, moved, inserted or repeated in it is a problem. */
import type { KeyObject } from 'node:crypto'
import { sha256 } from '../bundle/seal/digest.ts'
import { isSignedBy, keyIdOf } from '../bundle/seal/envelope.ts'
import { readEntry, type RunLogEntry } from './entry.ts'

export interface RunLog {
  /** SHA-256, hex, of its first line: stays the same while it grows. Null if it is empty. */
  id: string | null
  /** SHA-256, hex, of each line; the last is the head of the log. */
  digests: readonly string[]
  entries: readonly RunLogEntry[]
  /** The one key of its signatures, verified if keys were given; null if it is empty. */
  keyid: string | null
  /** Each with its line; empty: verified as far as it can be without a head that was published elsewhere. */
  problems: readonly string[]
}

/** `keys`: of allowed signers; null: signatures are not verified. Never throws. */
export function readRunLog(bytes: Buffer, keys: readonly KeyObject[] | null): RunLog {
  const text = bytes.toString('utf8')
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const known = keys?.map((key) => [keyIdOf(key), key] as const)
  const follow = follower(known === undefined ? null : new Map(known))
  const [problems, entries]: [string[], RunLogEntry[]] = [[], []]
  for (const [index, line] of lines.entries()) {
    const { entry, whys } = follow.next(line)
    problems.push(...whys.map((why) => `line ${index + 1} ${why}`))
    if (entry !== null) entries.push(entry)
  }
  if (!text.endsWith('\n')) problems.push(text === '' ? 'it is empty' : `line ${lines.length} is cut off`)
  const digests = lines.map((line) => sha256(line))
  return { id: digests[0] ?? null, digests, entries, keyid: follow.keyid(), problems }
}

interface Followed {
  entry: RunLogEntry | null
  whys: readonly string[]
}

/** Reads line after line, and compares each with those before it. */
function follower(keys: ReadonlyMap<string, KeyObject> | null) {
  const runs = new Map<string, 'start' | 'end'>()
  let before: { line: string; entry: RunLogEntry | null } | null = null
  let signer: string | null = null

  function placeProblems({ number, previous, at }: RunLogEntry): readonly string[] {
    const expected = before === null ? 1 : before.entry === null ? null : before.entry.number + 1
    const digest = before === null ? null : sha256(before.line)
    const since = before?.entry?.at ?? ''
    return [
      ...(expected === null || number === expected ? [] : [`has number ${number}, and ${expected} is next`]),
      ...(previous === digest ? [] : ['does not follow the line before it']),
      ...(Date.parse(at) < Date.parse(since) ? [`is of ${at}, before the line before it (${since})`] : []),
    ]
  }

  function runProblems({ run, is }: RunLogEntry): readonly string[] {
    const known = runs.get(run)
    runs.set(run, is)
    if (is === 'start') return known === undefined ? [] : [`starts run ${run} again`]
    if (known === undefined) return [`ends run ${run}, which no line before it starts`]
    return known === 'start' ? [] : [`ends run ${run} again`]
  }

  return {
    keyid: () => signer,
    next(line: string): Followed {
      const reading = readEntry(line)
      if ('why' in reading) {
        before = { line, entry: null }
        return { entry: null, whys: [reading.why] }
      }
      const { entry, envelope, keyid } = reading
      const key = keys?.get(keyid)
      const signed = key === undefined ? keys === null : isSignedBy(envelope, key)
      signer ??= keyid
      const whys = [
        ...(signed ? [] : [key ? 'has a wrong signature' : `is not signed by a given key (key id ${keyid})`]),
        ...(keyid === signer ? [] : [`is signed by another key (key id ${keyid}) than the first`]),
        ...placeProblems(entry),
        ...runProblems(entry),
      ]
      before = { line, entry }
      return { entry, whys }
    },
  }
}
