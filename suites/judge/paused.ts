/** Whether a stored message says that its AI reply is paused. How it says so is not shown, only that it does. */
import type { Judgement } from '../engine/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { isObject } from './answer.ts'
import { broken, check, given, inconclusive, pass } from './expect.ts'
import { taken, unless } from './once.ts'
import { canonical, field, fields } from './reply.ts'

/** `customer_message` has an `ai_reply` that says paused. */
export function markedAsPaused(exchange: Exchange): Judgement {
  return given(field(exchange, 'customer_message', 'object'), () => {
    const message = fields(exchange)?.['customer_message']
    const mark = isObject(message) ? message['ai_reply'] : undefined
    return check(
      saysPaused(mark),
      '`ai_reply` that says paused',
      `\`ai_reply\`: ${canonical(mark)}`,
      exchange,
    )
  })
}

/** As a text, or as a member whose name says so and that is true, at any depth. */
export function saysPaused(value: unknown): boolean {
  if (typeof value === 'string') return /paus/i.test(value)
  if (Array.isArray(value)) return value.some(saysPaused)
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([name, inner]) => (/paus/i.test(name) && inner === true) || saysPaused(inner),
  )
}

/** A turn ran, and no message was stored in its place. */
export function notStored(exchange: Exchange): Judgement {
  const { response, customer_message: message } = fields(exchange) ?? {}
  return unless(taken(exchange), () => {
    if (isObject(message)) return broken('no `customer_message`', JSON.stringify(message), exchange)
    return response === '' ? inconclusive('the reply is empty') : pass
  })
}
