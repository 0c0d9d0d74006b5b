/**
 * Judgements on buttons that come back: pressed again with their key, or not offered at all. A forged interaction
 * may be answered as if its text alone had been sent; what it may not do is what a button does.
 */
import type { Judgement } from '../engine/judgement.ts'
import type { Dialect } from '../target/dialect.ts'
import type { Exchange } from '../wire/exchange.ts'
import { codesOf, isObject, refused, statusOf } from './answer.ts'
import { broken, every, given, pass, weak } from './expect.ts'
import { ran, replayed } from './once.ts'
import { buttonsOf, presentationOf, sameButton, type Interaction } from './presentation.ts'
import { canonical, fieldOf } from './reply.ts'
import { accepts, asked, confirmed, replied } from './turn.ts'

const isStale = (exchange: Exchange): boolean =>
  statusOf(exchange) === 409 && codesOf(exchange).includes('WORKFLOW_INTERACTION_STALE')

/**
 * Pressed again with its key: a replay. Where the turn did not offer the button again two rows of the table match, so
 * that a refusal as superseded is only weak; a second turn is broken.
 */
export function pressReplayed(press: Exchange, again: Exchange, dialect: Dialect = {}): Judgement {
  const button = asked(press)?.['interaction'] as Interaction
  const isOffered = buttonsOf(press, dialect).some((one) => sameButton(one, button))
  if (isOffered || !isStale(again)) return replayed(press, again)
  return given(ran(press), () => weak('a replay', '409 WORKFLOW_INTERACTION_STALE', again))
}

/** The stories' answers: to the plain message that offers the button, to interactions nobody offered, to the button. */
export interface Presses {
  readonly opening: Exchange
  readonly forged: readonly Exchange[]
  readonly genuine: Exchange
}

/** Every forged interaction is refused, or answered by its text: not as the genuine one is. */
export function notPressed({ opening, forged, genuine }: Presses): Judgement {
  const judged = every(forged, (one) => {
    if (statusOf(one) !== 200) return refused(one)
    return given(replied(one), () => {
      if (isText(one, opening)) return pass
      const [expected, got] = ['a refusal, or a reply to the text alone', `\`presentation\`: ${shown(one)}`]
      return said(one) === said(genuine) ? broken(expected, got, one) : weak(expected, got, one)
    })
  })
  return confirmed(judged, replied(genuine))
}

/** The genuine one is accepted, and is not answered as those are that count as nothing but text. */
export function pressedNotText({ opening, forged, genuine }: Presses): Judgement {
  return given(replied(opening), () => {
    const texts = forged.filter((one) => replied(one).is === 'pass' && isText(one, opening))
    const alike = texts.length > 1 && texts.every((one) => said(one) === said(genuine))
    if (!alike || replied(genuine).is !== 'pass') return accepts(genuine)
    return broken('a turn that goes on with the button', 'the reply that forged ones get, too', genuine)
  })
}

/** What the agent says to a plain message: what it said to the first one, or something that presents nothing. */
function isText(exchange: Exchange, opening: Exchange): boolean {
  const presentation = presentationOf(exchange) ?? null
  return presentation === null || shown(exchange) === shown(opening)
}

/** Response and texts of a presentation, without the message of its own that a reply may quote. */
function said(exchange: Exchange): string {
  const message = String(asked(exchange)?.['message'])
  return `${canonical(fieldOf(exchange, 'response'))} ${shown(exchange)}`.replaceAll(message, '…')
}

const shown = (exchange: Exchange): string => canonical(textsIn(presentationOf(exchange)))

const identity: readonly string[] = ['runId', 'nodeId', 'payload']

/** What a person reads: ids are others in every presentation. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /[0-9a-f]{8}|^\d/i.test(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((name) => !identity.includes(name))
    .toSorted()
    .flatMap((name) => textsIn(value[name]))
}
