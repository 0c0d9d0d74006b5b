/**
 * A report as data: a title, what has to be known first, and sections of blocks. It is made once from a run; the
 * renderers beside this file alone own escaping, shortening, bounds and width.
 */
import type { Exchange, Finding, Run, Verdict } from '../../bundle/record.ts'
import { marksOf, verdictWordsOf, type Tone } from '../verdicts/verdicts.ts'

/** A string is text in which names stand between backticks. */
export type Words = string | number | undefined | Piece | readonly Words[]

export type Piece =
  | { readonly code: string }
  | { readonly strong: Words }
  | { readonly soft: Words }
  /** A sign with its word; the tone only repeats them. */
  | { readonly sign: string; readonly says: Words; readonly tone: Tone }
  /** `#id` leads into this document, `./` to another page of a server, an address of the web to there; else it is text. */
  | { readonly to: string; readonly says: Words }
  | { readonly lines: readonly Words[] }

export interface Answer {
  question: string
  sign: string
  word: string
  tone: Tone
  /** Where the question is not above it; default `word`. */
  label?: string
  detail: Words
  blocks?: readonly Block[]
}

export interface Row {
  id?: string
  cells: readonly Words[]
}

/** A finding or something else that has a place of its own, with what stands for it where there is no room. */
export interface Card {
  /** Verdict and what else is to be said at once; its sign alone where there is little room. */
  badge?: Extract<Piece, { sign: string }>
  title: Words
  blocks: readonly Block[]
  short?: Words
}

export type Block =
  /** `line`: is not wrapped. */
  | { readonly words: Words; readonly kind?: 'soft' | 'said' | 'line' }
  | { readonly banner: string; readonly says: Words }
  | { readonly answers: readonly Answer[] }
  /** Fields without a value are left out. `wide`: names are longer than a word; `tone`: expected and actual. */
  | {
      readonly fields: readonly (readonly [name: Words, value: Words])[]
      readonly kind?: 'wide'
      readonly tone?: Tone
    }
  | { readonly tiles: readonly Tile[]; readonly kind?: 'coverage' }
  | { readonly items: readonly Words[]; readonly most?: number }
  /** `numbers`: the last row is their sum. */
  | {
      readonly table: readonly Row[]
      readonly columns: readonly Words[]
      readonly caption: string
      readonly numbers?: boolean
    }
  | { readonly code: readonly string[]; readonly language?: string }
  | { readonly cards: readonly Card[] }
  | { readonly fold: Words; readonly blocks: readonly Block[] }
  /** Of a finding: those that show it, in the order sent. */
  | { readonly evidence: Finding; readonly run: Run }
  /** In full, without being asked for by a finding that is shown. */
  | { readonly exchanges: readonly Exchange[] }
  /** Narrows the list below; pages of a server alone have it. */
  | { readonly filters: readonly Filter[] }
  /** Markup of a picture; pages alone have it. */
  | { readonly picture: { readonly markup: string }; readonly caption: string }

export interface Filter {
  name: string
  label: string
  value?: string | undefined
  options?: readonly (readonly [value: string, words: string])[]
}

export interface Tile {
  name: string
  at: string
  value: Words
  detail?: Words
}

export interface Section {
  id: string
  title: Words
  /** Where a menu has little room. */
  short?: string
  blocks: readonly Block[]
  sections?: readonly Section[]
}

/** `short`: where a menu has little room. */
export const sectionPart = (id: string, title: string, short: string, blocks: readonly Block[]): Section => ({
  id,
  title,
  short,
  blocks,
})

export interface Report {
  /** Of the window; a heading stands in `heading`. */
  title: string
  eyebrow?: Words
  heading: Words
  /** What stands before all sections. */
  head: readonly Block[]
  sections: readonly Section[]
  foot?: Words
}

/** `of`: findings of the run, which decide on its words. */
export function badge(verdict: Verdict, of: readonly Finding[] = [], marks: readonly string[] = []) {
  const { sign, word, tone } = verdictWordsOf(of)[verdict]
  return { sign, says: [word, ...marks].join(', '), tone }
}

export const badgeOf = (finding: Finding) => badge(finding.verdict, [finding], marksOf(finding))

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Those that there are: what is left out is false, empty or nothing. */
export const present = <T>(...all: readonly (T | false | '' | 0 | null | undefined)[]): readonly T[] =>
  all.filter(Boolean) as readonly T[]

export const between = (sign: string, all: readonly Words[]): Words =>
  all.map((one, at) => (at > 0 ? [sign, one] : one))

export const isList = (words: Words): words is readonly Words[] => Array.isArray(words)

export const isPiece = (words: Words): words is Piece => typeof words === 'object' && !isList(words)

export function toneOf(words: Words): Tone | undefined {
  if (isList(words)) return words.map(toneOf).find((tone) => tone !== undefined)
  return isPiece(words) && 'tone' in words ? words.tone : undefined
}

/** Without colour and links; backticks stay. */
export function plainWords(words: Words): string {
  if (words === undefined) return ''
  if (isList(words)) return words.map(plainWords).join('')
  if (typeof words !== 'object') return String(words)
  if ('code' in words) return words.code
  if ('strong' in words) return plainWords(words.strong)
  if ('soft' in words) return plainWords(words.soft)
  if ('lines' in words) return words.lines.map(plainWords).join('\n')
  return 'sign' in words ? `${words.sign} ${plainWords(words.says)}` : plainWords(words.says)
}

export const isEmpty = (words: Words): boolean => plainWords(words) === ''

/** `0.4 s`, `12 s`, `3 min 4 s`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `2026-11-01 12:30:00 UTC` of an ISO 8601 time in UTC. */
export function clockTime(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
}
