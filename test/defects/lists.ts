/**
 * Ways to break the contract, sentence by sentence, as somebody wrote them down who had read the contract and
 * nothing else: `<part>/ways.yaml`, committed before any of them was run. Beside it `found.json`, what the suite said
 * of each, and `reasons.yaml`, why one is not planted or not found. The part `blind` is of three readers, each alone,
 * and unread until it is run, once; `permitted.yaml` there has what they take for allowed, planted alike.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'

export const parts = [
  'chat',
  'idempotency-workflow-pause',
  'operations',
  'webhooks',
  'clients-receivers',
  'blind',
] as const
export type Part = (typeof parts)[number]

export interface Way {
  id: string
  of: 'server' | 'client' | 'command-line' | 'receiver' | 'older'
  way: string
  /** One plain request and its response do not show it. */
  hard: boolean
}

export interface Sentence {
  sentence: string
  where: string
  /** Up to twenty words of the contract. */
  words: string
  ways: readonly Way[]
}

/** What a run said of one way: the clauses that failed, those that were warned of, or neither. */
export interface Said {
  failed: readonly string[]
  warned: readonly string[]
}

/** By way: what the suite reported before it was fixed after this list, and what it says now. */
export type Found = Record<string, { before?: Said; now?: Said }>

const file = (part: Part, name: string): URL => new URL(`${part}/${name}`, import.meta.url)

export const sentencesOf = (part: Part): readonly Sentence[] =>
  parse(readFileSync(file(part, 'ways.yaml'), 'utf8')) as Sentence[]

export const waysOf = (part: Part): readonly Way[] => sentencesOf(part).flatMap(({ ways }) => ways)

export function foundOf(part: Part): Found {
  const at = file(part, 'found.json')
  return existsSync(at) ? (JSON.parse(readFileSync(at, 'utf8')) as Found) : {}
}

/**
 * Why ways are not planted, or not found, by id. `undecided`: nobody can decide from outside, for the contract does not decide
 * it or shows no way to see it. `missed`: it can be found, and the suite does not. Either may be empty.
 */
export type Reasons = Record<'undecided' | 'missed', Readonly<Record<string, string>>>

export function reasonsOf(part: Part): Reasons {
  if (!existsSync(file(part, 'reasons.yaml'))) return { undecided: {}, missed: {} }
  const { undecided, missed } = parse(readFileSync(file(part, 'reasons.yaml'), 'utf8')) as Partial<
    Record<keyof Reasons, Reasons[keyof Reasons] | null>
  >
  return { undecided: undecided ?? {}, missed: missed ?? {} }
}

/** One line a way, in the order of the list, so that a change shows as one. */
export function writeFound(part: Part, found: Found): void {
  const lines = waysOf(part)
    .filter(({ id }) => found[id] !== undefined)
    .map(({ id }) => `${JSON.stringify(id)}: ${JSON.stringify(found[id])}`)
  writeFileSync(file(part, 'found.json'), `{\n${lines.join(',\n')}\n}\n`)
}
