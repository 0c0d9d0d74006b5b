/**
 * Judgements on pressed buttons: the same press again with its key, and interactions that were never offered. A
 * forged interaction may be answered as if only its text had been sent, but must not act as a button.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, excerpt } from '../../wire/exchange.ts'
import { codesOf, refused, statusOf } from '../../assertions/answer.ts'
import { isObject } from '../../../spec/json.ts'
import { all, fail, every, given, pass, warn } from '../../scenario/expect.ts'
import { ran, replayed, replayOn } from '../../assertions/once.ts'
import { buttonsOf, presentationOf, presents, sameButton, type Interaction, buttons } from './presentation.ts'
import { canonical, fieldOf, field, succeeded } from '../../assertions/reply.ts'
import { accepts, asked, confirmed, replied } from '../../assertions/turn.ts'

export const isStale = (exchange: Exchange): boolean =>
  statusOf(exchange) === 409 && codesOf(exchange).includes('WORKFLOW_INTERACTION_STALE')

/**
 * The same press again with its key is a replay. If the turn did not offer the button again, two rows of the table
 * match, so a refusal as superseded only warns; a second turn fails.
 */
export function pressReplayed(press: Exchange, again: Exchange, dialect: Dialect = {}): Judgement {
  const button = asked(press)?.['interaction'] as Interaction
  const isOffered = buttonsOf(press, dialect).some((one) => sameButton(one, button))
  if (isOffered || !isStale(again)) return replayed(press, again)
  return given(ran(press), () =>
    warn('a replay', '409 WORKFLOW_INTERACTION_STALE', again, ...replayOn(again)),
  )
}

/**
 * The exchanges of a scenario: the plain message that returns the button, interactions that were never offered, the
 * genuine press. `texts`: the messages of some of those interactions, sent alone and otherwise unchanged.
 */
export interface Presses {
  readonly opening: Exchange
  readonly forged: readonly Exchange[]
  readonly genuine: Exchange
  readonly texts?: readonly Exchange[]
}

/** Every forged interaction is refused, or answered like its text, and not like the genuine one. */
export function notPressed(
  { opening, forged, genuine, texts = [] }: Presses,
  dialect: Dialect = {},
): Judgement {
  const judged = every(forged, (one) => {
    if (statusOf(one) !== 200) return refused(one)
    return given(replied(one), () => {
      const text = textResponseOf(one, texts)
      return text ? besideText(one, text, genuine, dialect) : besideOpening(one, opening, genuine)
    })
  })
  return confirmed(judged, replied(genuine))
}

const offered = 'a refusal, or a reply to the text alone'
const got = (one: Exchange): string => `\`presentation\`: ${shown(one)}`

/** The response to the message of an interaction alone. */
export function textResponseOf(one: Exchange, texts: readonly Exchange[]): Exchange | undefined {
  const { message } = asked(one) ?? {}
  return texts.find((text) => asked(text)?.['message'] === message)
}

/**
 * If the text alone returns no presentation, the interaction caused the buttons. Anything else may be what the agent
 * happened to add this time.
 */
function besideText(one: Exchange, text: Exchange, genuine: Exchange, dialect: Dialect): Judgement {
  return given(replied(text), () => {
    if (!presents(one) || shown(one) === shown(text)) return pass
    if (!presents(text) && buttonsOf(one, dialect).length > 0)
      return fail(`${offered}, which presents nothing`, got(one), one)
    return asGenuine(one, genuine)
  })
}

function besideOpening(one: Exchange, opening: Exchange, genuine: Exchange): Judgement {
  return isText(one, opening) ? pass : asGenuine(one, genuine)
}

function asGenuine(one: Exchange, genuine: Exchange): Judgement {
  return shownText(one) === shownText(genuine) ? fail(offered, got(one), one) : warn(offered, got(one), one)
}

/** The button of one agent, sent to another one in a new conversation. */
export interface PressElsewhere {
  readonly opening: Exchange
  readonly elsewhere: Exchange
  /** A later press of the button where it was offered. */
  readonly genuine: Exchange
  readonly texts: readonly Exchange[]
}

/**
 * The other agent refuses the button, or answers the text. It does not continue the Workflow of the first agent:
 * neither in that conversation, nor by making the button stale there. Any other presentation may be its own.
 */
export function notPressedElsewhere({ opening, elsewhere, genuine, texts }: PressElsewhere): Judgement {
  if (statusOf(elsewhere) !== 200) return confirmed(refused(elsewhere), replied(genuine))
  return given(all(replied(opening), replied(elsewhere)), () => {
    const [own, named] = [opening, elsewhere].map((one) => fieldOf(one, 'conversation_id'))
    if (typeof named === 'string' && named === own)
      return fail('a conversation of the other agent', 'that of the agent whose button it is', elsewhere)
    const text = textResponseOf(elsewhere, texts)
    if (!presents(elsewhere) || (text && presents(text))) return confirmed(pass, replied(genuine))
    return isStale(genuine)
      ? fail(offered, got(elsewhere), elsewhere)
      : warn(offered, got(elsewhere), elsewhere)
  })
}

/** The genuine press is accepted, and its response differs from those to forged interactions answered as text. */
export function pressedNotText({ opening, forged, genuine }: Presses): Judgement {
  return given(replied(opening), () => {
    const texts = forged.filter((one) => replied(one).is === 'pass' && isText(one, opening))
    const alike = texts.length > 1 && texts.every((one) => shownText(one) === shownText(genuine))
    if (!alike || replied(genuine).is !== 'pass') return accepts(genuine)
    return fail('a turn that goes on with the button', 'the reply that forged ones get, too', genuine)
  })
}

/** The response to a plain message: the same as the first one, or one without a presentation. */
function isText(exchange: Exchange, opening: Exchange): boolean {
  return !presents(exchange) || shown(exchange) === shown(opening)
}

/** Response and texts of a presentation, without the message that a reply may quote. */
function shownText(exchange: Exchange): string {
  const message = String(asked(exchange)?.['message'])
  return `${canonical(fieldOf(exchange, 'response'))} ${shown(exchange)}`.replaceAll(message, '…')
}

const shown = (exchange: Exchange): string => canonical(textsIn(presentationOf(exchange)))

const identity: readonly string[] = ['runId', 'nodeId', 'payload']

/** The texts that a person reads: ids differ in every presentation. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /[0-9a-f]{8}|^\d/i.test(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((name) => !identity.includes(name))
    .toSorted()
    .flatMap((name) => textsIn(value[name]))
}

/**
 * The replay has the presentation of the original. URLs may have new signatures, but no button may have changed; a
 * changed time only warns.
 */
export function samePresentation(original: Exchange, again: Exchange, dialect: Dialect): Judgement {
  return given(field(original, 'presentation', 'object'), () =>
    given(succeeded(again), () => {
      const both = [original, again].map(presentationOf)
      const alike = (by: (one: unknown) => string): boolean => new Set(both.map(by)).size === 1
      const [expected = '', got = ''] = both.map((one) => `\`presentation\`: ${excerpt(canonical(one))}`)
      const same = { field: 'presentation', sameAs: original.id } as const
      if (!alike((one) => canonical(buttons(one, dialect)))) return fail(expected, got, again, same)
      if (alike((one) => canonical(reduced(one, withoutQuery)))) return pass
      const isTime = alike((one) => canonical(reduced(one, withoutTime)))
      return isTime ? warn(expected, got, again, same) : fail(expected, got, again, same)
    }),
  )
}

const query = /((?:https?:)?\/\/[^\s?#"'<>()]+|^\/[^\s?#]*)\?[^\s#"'<>()]*/gi

const withoutQuery = (leaf: unknown): unknown =>
  typeof leaf === 'string' ? leaf.replaceAll(query, '$1') : leaf

const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/

function withoutTime(leaf: unknown): unknown {
  const isTime = typeof leaf === 'string' ? time.test(leaf) : typeof leaf === 'number' && leaf > 1e9
  return isTime ? null : withoutQuery(leaf)
}

function reduced(value: unknown, leaf: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => reduced(item, leaf))
  if (!isObject(value)) return leaf(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, reduced(inner, leaf)]))
}
