/** The `--answer` option: words for what is answered to one request after the other. */
import { InvalidArgumentError } from 'commander'
import type { InboundAnswer } from '../../suites/inbound/place.ts'

export interface Word {
  readonly answer: InboundAnswer
  /** Held for so long, and then answered 200. */
  readonly afterMs?: number
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000 }
/** Longer than any sender waits; a timer holds no more than 2^31 ms. */
const longestMs = 3_600_000

/** `500,hang,slow:3s`. Throws InvalidArgumentError for a word it does not know. */
export const answerList = (text: string): readonly Word[] =>
  text.split(',').map((word) => wordOf(word.trim()))

function wordOf(word: string): Word {
  if (word === 'hang' || word === 'close' || word === 'drip') return { answer: word }
  if (/^[2-5]\d\d$/.test(word)) return { answer: { status: Number(word) } }
  const [, amount = '', unit = ''] = /^slow:(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(word) ?? []
  const afterMs = Number(amount) * (units[unit] ?? 0)
  if (afterMs > 0 && afterMs <= longestMs) return { answer: 'hold', afterMs }
  throw new InvalidArgumentError(
    `"${word}" is no answer: give a status from 200 to 599, hang, close, drip, or slow:3s, with commas between.`,
  )
}

/** What the nth request is answered, from 1: the last word stays. */
export const wordFor = (number: number, words: readonly Word[]): Word =>
  words[Math.min(number, words.length) - 1] ?? { answer: { status: 200 } }
