/**
 * Judgements on buttons that come back: pressed again with their key, or not offered at all. A forged interaction
 * may be answered as if its text alone had been sent; what it may not do is what a button does.
 */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { codesOf, isObject, refused, statusOf } from '../../assertions/answer.ts'
import { all, broken, every, given, pass, weak } from '../../scenario/expect.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { buttonsOf, presentationOf, presents, sameButton, type Interaction } from './presentation.ts'
import { canonical, fieldOf } from '../../assertions/reply.ts'
import { accepts, asked, confirmed, replied } from '../../assertions/turn.ts'

export const isStale = (exchange: Exchange): boolean =>
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

/**
 * The scenarios' answers: to the plain message that offers the button, to interactions nobody offered, to the button.
 * `texts`: to messages of some of those interactions, sent alone where all else was the same.
 */
export interface Presses {
  readonly opening: Exchange
  readonly forged: readonly Exchange[]
  readonly genuine: Exchange
  readonly texts?: readonly Exchange[]
}

/** Every forged interaction is refused, or answered by its text: not as the genuine one is. */
export function notPressed(
  { opening, forged, genuine, texts = [] }: Presses,
  dialect: Dialect = {},
): Judgement {
  const judged = every(forged, (one) => {
    if (statusOf(one) !== 200) return refused(one)
    return given(replied(one), () => {
      const text = textOf(one, texts)
      return text ? besideText(one, text, genuine, dialect) : besideOpening(one, opening, genuine)
    })
  })
  return confirmed(judged, replied(genuine))
}

const offered = 'a refusal, or a reply to the text alone'
const got = (one: Exchange): string => `\`presentation\`: ${shown(one)}`

/** The answer to the message of an interaction alone. */
export function textOf(one: Exchange, texts: readonly Exchange[]): Exchange | undefined {
  const { message } = asked(one) ?? {}
  return texts.find((text) => asked(text)?.['message'] === message)
}

/**
 * Where its text alone presents nothing, buttons came of the interaction. Something else may be what the agent happened
 * to add this time.
 */
function besideText(one: Exchange, text: Exchange, genuine: Exchange, dialect: Dialect): Judgement {
  return given(replied(text), () => {
    if (!presents(one) || shown(one) === shown(text)) return pass
    if (!presents(text) && buttonsOf(one, dialect).length > 0)
      return broken(`${offered}, which presents nothing`, got(one), one)
    return asGenuine(one, genuine)
  })
}

function besideOpening(one: Exchange, opening: Exchange, genuine: Exchange): Judgement {
  return isText(one, opening) ? pass : asGenuine(one, genuine)
}

function asGenuine(one: Exchange, genuine: Exchange): Judgement {
  return said(one) === said(genuine) ? broken(offered, got(one), one) : weak(offered, got(one), one)
}

/** The button of one agent, sent to another one that begins a conversation with it. */
export interface PressElsewhere {
  readonly opening: Exchange
  readonly elsewhere: Exchange
  /** The button where it was offered, afterwards. */
  readonly genuine: Exchange
  readonly texts: readonly Exchange[]
}

/**
 * The other agent refuses it, or answers the text. It does not go on with the Workflow of the first: neither in the
 * conversation of that one, nor so that the button is no longer current there. What else it presents may be its own.
 */
export function notPressedElsewhere({ opening, elsewhere, genuine, texts }: PressElsewhere): Judgement {
  if (statusOf(elsewhere) !== 200) return confirmed(refused(elsewhere), replied(genuine))
  return given(all(replied(opening), replied(elsewhere)), () => {
    const [own, named] = [opening, elsewhere].map((one) => fieldOf(one, 'conversation_id'))
    if (typeof named === 'string' && named === own)
      return broken('a conversation of the other agent', 'that of the agent whose button it is', elsewhere)
    const text = textOf(elsewhere, texts)
    if (!presents(elsewhere) || (text && presents(text))) return confirmed(pass, replied(genuine))
    return isStale(genuine)
      ? broken(offered, got(elsewhere), elsewhere)
      : weak(offered, got(elsewhere), elsewhere)
  })
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
  return !presents(exchange) || shown(exchange) === shown(opening)
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
