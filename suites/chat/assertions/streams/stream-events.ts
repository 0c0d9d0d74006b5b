/** Judgements on the events of a stream: their members, their order and their sum. */
import { streamEvents, type StreamEventType } from '../../../../spec/index.ts'
import type { Judgement } from '../../../scenario/scenario.ts'
import { type Exchange, excerpt } from '../../../wire/exchange.ts'
import { readSseBody } from '../../../wire/sse.ts'
import { isObject } from '../../../../spec/json.ts'
import { fail, check, every, given, inconclusive, pass, warn } from '../../../scenario/expect.ts'
import { saysStored } from '../../../assertions/paused.ts'
import type { Fields } from '../../../assertions/reply.ts'
import { ended, eventsOf, isTerminal, wholeStream, terminalOf } from './stream.ts'

function each(exchange: Exchange, type: StreamEventType, judge: (event: Fields) => Judgement): Judgement {
  return given(wholeStream(exchange), () => {
    const found = eventsOf(exchange, type)
    return found.length > 0 ? every(found, judge) : inconclusive(`no \`${type}\` event came`)
  })
}

/**
 * Every event of this type has all members that the contract shows. `texts`: members that appear to be strings,
 * though the contract shows no type; another type warns.
 */
export function eventMembers(
  exchange: Exchange,
  type: StreamEventType,
  texts: readonly string[] = [],
): Judgement {
  const wanted: readonly string[] = streamEvents[type].members
  return each(exchange, type, (event) => {
    if (wanted.some((name) => event[name] === undefined))
      return fail(`\`${type}\` with ${wanted.join(' and ')}`, quoted(event), exchange)
    const odd = texts.find((name) => typeof event[name] !== 'string')
    return odd === undefined ? pass : warn(`a text \`${odd}\``, quoted(event), exchange)
  })
}

/** A turn that is known to fail has an `error` event with its member. */
export function reportsFailure(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    if (eventsOf(exchange, 'error').length > 0) return eventMembers(exchange, 'error', ['error'])
    const last = eventsOf(exchange).at(-1)
    const got = last ? `none; the last event is ${quoted(last)}` : 'no event at all'
    return fail('an `error` event, for a turn that fails', got, exchange)
  })
}

const lettersOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/[^\p{L}\p{N}]/gu, '') : ''

/**
 * The turn ended in the very reply that a gate had substituted, and other text was streamed before: so it was
 * replaced here too. If the texts are equal, this cannot be observed.
 */
export function isReplacedAsIn(gated: Exchange, later: Exchange): boolean {
  const [before, now] = [gated, later].map((one) => lettersOf(eventsOf(one, 'done')[0]?.['response']))
  const said = lettersOf(tokenText(later))
  const isOther = said !== '' && !said.includes(now ?? '') && !now?.includes(said)
  return eventsOf(gated, 'gate_triggered').length > 0 && now !== '' && now === before && isOther
}

export const tokenText = (exchange: Exchange): string =>
  eventsOf(exchange, 'token')
    .map(({ token }) => (typeof token === 'string' ? token : ''))
    .join('')

/** A turn that a gate is known to have changed has its event. */
export function reportsGate(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () =>
    eventsOf(exchange, 'gate_triggered').length > 0
      ? eventMembers(exchange, 'gate_triggered')
      : fail('a `gate_triggered` event, as in the turn before, with the same reply', 'none', exchange),
  )
}

export function typed(
  exchange: Exchange,
  type: StreamEventType,
  name: string,
  wanted: 'string' | 'boolean',
): Judgement {
  return each(exchange, type, (event) =>
    check(typeof event[name] === wanted, `\`${name}\`: ${wanted}`, quoted(event), exchange),
  )
}

/** Every `action_complete` has its own earlier `action_start` of the same name; one that never completes warns. */
export function actionsPaired(exchange: Exchange): Judgement {
  const open: unknown[] = []
  const scenario = eventsOf(exchange).filter(
    ({ type }) => type === 'action_start' || type === 'action_complete',
  )
  const stray = scenario.find(({ type, actionName }) => {
    if (type === 'action_start') open.push(actionName)
    else {
      const at = open.indexOf(actionName)
      if (at === -1) return true
      open.splice(at, 1)
    }
    return false
  })
  if (stray) return fail('an earlier `action_start` of the same name', quoted(stray), exchange)
  return each(exchange, 'action_start', () =>
    open.length > 0 && eventsOf(exchange, 'error').length === 0
      ? warn('an `action_complete` for each `action_start`', `none of ${quoted(open[0])}`, exchange)
      : pass,
  )
}

/** A finished stream has one `done`, an `error`, or an `error` and then a `done`; several errors warn. */
export function oneTerminal(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const found = eventsOf(exchange).filter(isTerminal)
    const got = found.length === 0 ? 'neither' : found.map(({ type }) => String(type)).join(', ')
    const dones = found.filter(({ type }) => type === 'done').length
    if (found.length === 0 || dones > 1) return fail('one `done`, or an `error`', got, exchange)
    return found.length - dones > 1 ? warn('one `error`', got, exchange) : pass
  })
}

/** No data line follows `done` or, without one, `error`; a field other than data warns, a comment is allowed. */
export function nothingAfter(exchange: Exchange): Judgement {
  return given(ended(exchange), () => {
    const end = terminalOf(exchange)?.offset ?? 0
    const fields = readSseBody(exchange).lines.filter((line) => line.kind === 'field' && line.offset > end)
    const data = fields.find((line) => line.kind === 'field' && line.name === 'data')
    if (data) return fail('no event after the terminal one', excerpt(data.text), exchange)
    const [other] = fields
    return other ? warn('nothing but comments and blank lines', excerpt(other.text), exchange) : pass
  })
}

const parts: readonly unknown[] = Object.keys(streamEvents).filter((type) => !isTerminal({ type }))

/** No more of a reply follows an `error`. A `done` may mark the end of the stream. */
export function errorEnds(exchange: Exchange): Judgement {
  return each(exchange, 'error', () => {
    const all = eventsOf(exchange)
    const at = all.findIndex(({ type }) => type === 'error')
    const part = all.slice(at).find(({ type }) => parts.includes(type))
    return part ? fail('no part of a reply after `error`', quoted(part), exchange) : pass
  })
}

/** The joined tokens equal the reply, unless a gate changed the turn or AI replies are paused. */
export function tokensJoin(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const all = eventsOf(exchange)
    const end = all.findIndex(({ type }) => type === 'done')
    const before = all.slice(0, Math.max(end, 0))
    const parts = before.filter(({ type }) => type === 'token').map((event) => event['token'])
    const done = all[end]
    if (!done || parts.length === 0) return inconclusive('the stream had no tokens and `done`')
    if (![done['response'], ...parts].every((part) => typeof part === 'string'))
      return inconclusive('a token or the reply is no text')
    if (eventsOf(exchange, 'gate_triggered').length > 0) return inconclusive('a gate changed the turn')
    if (eventsOf(exchange, 'error').length > 0) return inconclusive('the turn failed')
    if (saysStored(done) || (done['response'] === '' && isObject(done['customer_message'])))
      return inconclusive('AI replies are paused')
    const joined = parts.join('')
    return check(
      joined === done['response'],
      `\`response\`: ${quoted(joined)}`,
      `\`response\`: ${quoted(done['response'])}`,
      exchange,
    )
  })
}

/**
 * The message contained the text of an event with a member `marker`, which is returned as text only. Inconclusive if
 * it was not returned at all.
 */
export function notInjected(exchange: Exchange, marker: string): Judgement {
  return given(wholeStream(exchange), () => {
    const forged = eventsOf(exchange).find((event) => Object.hasOwn(event, marker))
    if (forged) return fail('text that stays text', `the event ${quoted(forged)}`, exchange)
    const stray = readSseBody(exchange).lines.find(
      (line) => line.kind === 'field' && line.name !== 'data' && line.text.includes(marker),
    )
    if (stray) return fail('text within the JSON of an event', `the line ${excerpt(stray.text)}`, exchange)
    const repeated = JSON.stringify(eventsOf(exchange)).includes(marker)
    return repeated ? oneTerminal(exchange) : inconclusive('no event repeated the text of the message')
  })
}

function quoted(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? 'nothing')
}
