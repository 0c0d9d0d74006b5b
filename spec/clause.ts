/**
 * A clause is one statement of the contract that an observer can judge. Its id is the key of the table it
 * stands in, is never re-used and never numbered by position.
 */
import type { StateId } from './states.ts'

export const levels = ['must', 'should'] as const
/** `must` or `should`, from the contract's own wording; what is only advisable is a `should`. */
export type Level = (typeof levels)[number]

export const actors = ['server', 'sender', 'receiver', 'library', 'command-line'] as const
/** Who keeps or breaks the clause. `sender` is the webhook sender, `receiver` the endpoint it posts to. */
export type Actor = (typeof actors)[number]

export const bases = ['stated', 'implied', 'standard', 'advised'] as const
/**
 * Where the clause gets its force. `stated`: one sentence says it. `implied`: two statements together say
 * it. `standard`: the contract names a standard (HTTP, JSON, Server-Sent Events) that says it. `advised`:
 * good practice only, always a `should`.
 */
export type ClauseBasis = (typeof bases)[number]

export const observabilities = ['wire', 'state', 'inside'] as const
/**
 * How it can be observed. `wire`: with ordinary credentials. `state`: only once a state was prepared.
 * `inside`: not from outside at all.
 */
export type Observability = (typeof observabilities)[number]

/** A place of the contract, as section and row, and the words there. */
export interface Quotation {
  source: string
  /** At most twelve words, as they stand in the contract; `|` separates the cells of a table. */
  phrase: string
}

export interface Clause {
  level: Level
  actor: Actor
  basis: ClauseBasis
  observe: Observability
  /** Our own wording: what has to hold. `{replayHeader}` and so on stand for identifiers: see `withIdentifiers`. */
  text: string
  /** Section and row of the contract; several are separated by `; `. */
  source: string
  /** The phrases that decide it; a `must` has at least one. */
  rests: readonly Quotation[]
  /** The state that has to be prepared before it can be observed. */
  state?: StateId
}

type Detail = Partial<Pick<Clause, 'actor' | 'observe' | 'state'>>
/** A string stands at the first place of the source of the clause. */
type Phrase = string | Quotation
type Phrases = Phrase | readonly [Phrase, Phrase]

interface Ground extends Detail {
  basis: ClauseBasis
  source: string
  rests: readonly Quotation[]
}

/** Without detail the server keeps the clause, and it shows on the wire. */
const ground =
  (basis: ClauseBasis) =>
  (source: string, phrases: Phrases | readonly [] = [], detail: Detail = {}): Ground => {
    const [first = source] = source.split('; ')
    const rests = [phrases]
      .flat()
      .map((phrase) => (typeof phrase === 'string' ? { source: first, phrase } : phrase))
    return { basis, source, rests, ...detail }
  }

export const stated = ground('stated')
export const implied = ground('implied')
export const standard = ground('standard')
export const advised = ground('advised')

function clause(level: Level, text: string, { basis, source, rests, ...detail }: Ground): Clause {
  const observe = detail.state ? 'state' : 'wire'
  const places = [...new Set([...source.split('; '), ...rests.map((rest) => rest.source)])].join('; ')
  return { level, actor: 'server', basis, observe, text, source: places, rests, ...detail }
}

/** A statement that has to hold, and the phrase of the contract that decides it, or two. */
export const must = (text: string, on: Ground): Clause => clause('must', text, on)

/** A statement that ought to hold: breaking it is a warning. */
export const should = (text: string, on: Ground): Clause => clause('should', text, on)

/** Clauses that somebody other than the server keeps. */
export const keptBy = <T extends Readonly<Record<string, Clause>>>(actor: Actor, rows: T): T =>
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, actor }])) as unknown as T

/** Each place of the contract with the phrases there that decide the clause, for a person to read. */
export function contractWords({ source, rests }: Pick<Clause, 'source' | 'rests'>): string {
  const words = source.split('; ').map((place) => {
    const phrases = rests.filter((rest) => rest.source === place)
    const marked = phrases.map(({ phrase }) => `"${phrase}"`).join(' and ')
    return marked === '' ? place : `${place}: ${marked}`
  })
  return words.join('; ')
}
