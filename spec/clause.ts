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

type Detail = Partial<Pick<Clause, 'actor' | 'basis' | 'observe' | 'state'>>
/** A string stands at the first place of the source of the clause. */
type Phrase = string | Quotation
type Phrases = Phrase | readonly [Phrase, Phrase]

function clause(
  level: Level,
  text: string,
  source: string,
  rests: readonly Quotation[],
  detail: Detail,
): Clause {
  const observe = detail.state ? 'state' : 'wire'
  const places = [...new Set([...source.split('; '), ...rests.map((rest) => rest.source)])].join('; ')
  return { level, actor: 'server', basis: 'stated', observe, text, source: places, rests, ...detail }
}

/**
 * A statement that has to hold, and the phrase of the contract that decides it, or two. Without detail: the server
 * keeps it, it is stated, it shows on the wire.
 */
export function must(text: string, source: string, phrases: Phrases, detail: Detail = {}): Clause {
  return clause('must', text, source, quotations(source, phrases), detail)
}

/** A statement that ought to hold: breaking it is a warning. */
export function should(text: string, source: string, detail: Detail & { phrases?: Phrases } = {}): Clause {
  const { phrases = [], ...rest } = detail
  return clause('should', text, source, quotations(source, phrases), rest)
}

/** Each place of the contract with the phrases there that decide the clause, for a person to read. */
export function contractWords({ source, rests }: Pick<Clause, 'source' | 'rests'>): string {
  const words = source.split('; ').map((place) => {
    const phrases = rests.filter((rest) => rest.source === place)
    const marked = phrases.map(({ phrase }) => `"${phrase}"`).join(' and ')
    return marked === '' ? place : `${place}: ${marked}`
  })
  return words.join('; ')
}

function quotations(source: string, phrases: Phrase | readonly Phrase[]): readonly Quotation[] {
  const [first = source] = source.split('; ')
  return [phrases].flat().map((phrase) => (typeof phrase === 'string' ? { source: first, phrase } : phrase))
}
