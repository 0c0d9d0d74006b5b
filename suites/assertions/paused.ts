/** Whether a stored message says that its AI reply is paused. How it says so is not shown, only that it does. */
import type { Judgement } from '../scenario/scenario.ts'
import { type Exchange, excerpt } from '../wire/exchange.ts'
import { isObject } from '../../spec/json.ts'
import { fail, check, given, inconclusive, pass, warn, inTurn } from '../scenario/expect.ts'
import { taken } from './once.ts'
import { canonical, field, fieldOf, fields, type Fields } from './reply.ts'

/** `customer_message` has an `ai_reply` that says paused; one with an unknown text is a warning. */
export function markedAsPaused(exchange: Exchange): Judgement {
  return given(field(exchange, 'customer_message', 'object'), () => {
    const message = fieldOf(exchange, 'customer_message')
    const mark = isObject(message) ? message['ai_reply'] : undefined
    if (saysPaused(mark)) return pass
    const [expected, got] = ['`ai_reply` that says paused', `\`ai_reply\`: ${canonical(mark)}`]
    return mayMeanPaused(mark) ? warn(expected, got, exchange) : fail(expected, got, exchange)
  })
}

const pausedWord = /(?:^|[^a-z])(un|not?|non|never|isn'?t)?[\s_-]*(?:is[\s_-]*)?paus(?:ed|e|ing)?(?![a-z])/i
const activeWord = /\b(?:active|enabled|sent|replied|answered|completed?|done|running|unpaused)\b/i

/** A denial does not count. In a name in camelCase the word follows a small letter. */
function isPausedWord(text: string): boolean {
  const found = pausedWord.exec(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))
  return found !== null && found[1] === undefined
}

/** As a text, or as a member whose name says so and that is true, at any depth. */
export function saysPaused(value: unknown): boolean {
  return says(value, isPausedWord)
}

function says(value: unknown, isWord: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWord(value)
  if (Array.isArray(value)) return value.some((item) => says(item, isWord))
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([name, inner]) => (isWord(name) && inner === true) || says(inner, isWord),
  )
}

/** There is a mark, and it does not say that there is an AI reply. */
function mayMeanPaused(mark: unknown): boolean {
  if (mark === undefined || mark === null || mark === true || mark === '') return false
  return !says(mark, (text) => activeWord.test(text))
}

export function saysStored(reply: Fields | null): boolean {
  const { customer_message: message } = reply ?? {}
  return isObject(message) && saysPaused(message['ai_reply'])
}

/** Nothing was said, and the reply itself says why. */
export const isPausedReply = (exchange: Exchange): boolean =>
  fieldOf(exchange, 'response') === '' && saysStored(fields(exchange))

/**
 * A turn with a reply is not marked as paused. When there is no `customer_message` is not said, only when there is
 * one; what is there is an object.
 */
export function notMarkedPaused(exchange: Exchange): Judgement {
  const message = fieldOf(exchange, 'customer_message') ?? null
  const got = `\`customer_message\`: ${excerpt(canonical(message))}`
  if (message !== null && !isObject(message)) return fail('`customer_message`: object', got, exchange)
  return check(!saysStored(fields(exchange)), 'no `customer_message` marked as paused', got, exchange)
}

/** A turn ran, and no message was stored in its place. */
export function notStored(exchange: Exchange): Judgement {
  return inTurn(taken(exchange), notMarkedPaused(exchange), () =>
    fieldOf(exchange, 'response') === '' ? inconclusive('the reply is empty') : pass,
  )
}
