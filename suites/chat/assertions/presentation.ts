/**
 * Finds the buttons of a presentation. The contract shows the form of a selection, but not where in a presentation
 * its members are, so every position is searched.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, type Json, excerpt } from '../../wire/exchange.ts'
import { isObject } from '../../../spec/json.ts'
import {
  fail,
  check,
  given,
  inconclusive,
  pass,
  warn,
  all,
  every,
  inTurn,
  need,
} from '../../scenario/expect.ts'
import { canonical, field, fields, fieldOf, succeeded } from '../../assertions/reply.ts'
import { codesOf, refused, statusOf } from '../../assertions/answer.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { accepts, asked, confirmed, replied } from '../../assertions/turn.ts'

/** A selection, ready to be sent, with unchanged values. */
export interface Interaction {
  readonly type: string
  readonly runId: Json
  readonly nodeId: Json
  readonly payload: Json
  readonly [member: string]: Json
}

const buttonType = 'workflow_button'
const members = ['runId', 'nodeId', 'payload'] as const
type Member = (typeof members)[number]
type Found = Readonly<Partial<Record<Member | 'type', unknown>>>

export function presentationOf(exchange: Exchange): unknown {
  return fields(exchange)?.['presentation']
}

export function presents(exchange: Exchange): boolean {
  return (presentationOf(exchange) ?? null) !== null
}

/** The buttons of a reply in their order; none without a presentation. */
export function buttonsOf(exchange: Exchange, dialect: Dialect = {}): readonly Interaction[] {
  return buttons(presentationOf(exchange), dialect)
}

/**
 * Every object that has the members of a selection, itself or together with the objects around it. Media may have a
 * payload too: if some objects declare themselves as buttons, the others are ignored.
 */
export function buttons(presentation: unknown, dialect: Dialect = {}): readonly Interaction[] {
  const declared = dialect.buttons?.flatMap((pointer) => at(presentation, pointer.split('/').slice(1), {}))
  const places = declared?.length ? declared : [{ value: presentation, around: {} }]
  const found = places.flatMap(({ value, around }) => search(value, around))
  const said = found.filter(({ type }) => type === buttonType)
  const selections = (said.length > 0 ? said : found).map(selection)
  return [...new Map(selections.map((button) => [canonical(button), button])).values()]
}

interface Place {
  value: unknown
  /** Members of the enclosing objects. */
  around: Found
}

function at(value: unknown, path: readonly string[], around: Found): readonly Place[] {
  const [step, ...rest] = path
  if (step === undefined) return [{ value, around }]
  const inner = isObject(value) ? { ...around, ...own(value) } : around
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  if (name === '*' && Array.isArray(value)) return value.flatMap((item) => at(item, rest, inner))
  if (isObject(value) && name in value) return at(value[name], rest, inner)
  if (Array.isArray(value) && value[Number(name)] !== undefined) return at(value[Number(name)], rest, inner)
  return []
}

function search(value: unknown, around: Found): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap((item) => search(item, around))
  if (!isObject(value)) return []
  const inner = { ...around, ...own(value) }
  // The payload is a member of the button itself; run and node may be members of the enclosing objects.
  if ('payload' in value && members.every((member) => inner[member] !== undefined)) return [inner]
  return Object.values(value).flatMap((item) => search(item, inner))
}

function own(value: Readonly<Record<string, unknown>>): Found {
  return Object.fromEntries(
    ([...members, 'type'] as const)
      .filter((member) => member in value)
      .map((member) => [member, value[member]]),
  )
}

function selection(found: Found): Interaction {
  const { runId, nodeId, payload } = found as Record<Member, Json>
  return { type: buttonType, runId, nodeId, payload }
}

/** A copy in which the named members have another value of the same type, which no presentation offered. */
export function forged(button: Interaction, names: readonly Member[], nonce: string): Interaction {
  return { ...button, ...Object.fromEntries(names.map((name) => [name, other(button[name], nonce)])) }
}

function other(value: Json, nonce: string): Json {
  if (typeof value === 'string') return nonce
  if (typeof value === 'number') return value + 7_919
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...(value as readonly Json[]), nonce]
  return isObject(value) ? { ...(value as Readonly<Record<string, Json>>), forged: nonce } : nonce
}

export function sameButton(a: Interaction, b: Interaction): boolean {
  return canonical(a) === canonical(b)
}

export function offersButton(exchange: Exchange, dialect: Dialect): Judgement {
  return given(field(exchange, 'presentation', 'object'), () =>
    buttonsOf(exchange, dialect).length > 0
      ? pass
      : inconclusive(`no button was found in the presentation of \`${exchange.name}\``),
  )
}

/**
 * A button can be copied. Not applicable if no member of a selection is found by its name (the names differ); fails
 * if two are found and the third is missing.
 */
export function copyable(exchange: Exchange, dialect: Dialect): Judgement {
  return given(field(exchange, 'presentation', 'object'), () => {
    if (buttonsOf(exchange, dialect).length > 0) return pass
    const text = canonical(presentationOf(exchange))
    const there = members.filter((member) => text.includes(`"${member}":`))
    if (there.length < members.length - 1)
      return inconclusive('no `runId`, `nodeId` and `payload` were found; declare `dialect.buttons`')
    const got = there.length === members.length ? 'they are not in one place' : `only ${there.join(' and ')}`
    return fail('`runId`, `nodeId` and `payload` of a button', got, exchange)
  })
}

const versionName = /^(?:presentation|schema)?_?version$/i

/**
 * The version of a presentation is 1, as a number or a string. Which member contains it is not shown: without a
 * declared pointer, any member at the top with a matching name counts.
 */
export function versionOne(
  exchange: Exchange,
  { presentation: { version: place } = {} }: Dialect = {},
): Judgement {
  return given(field(exchange, 'presentation', 'object'), () => {
    const presentation = presentationOf(exchange)
    const found: readonly (readonly [string, unknown])[] =
      place === undefined
        ? Object.entries(isObject(presentation) ? presentation : {}).filter(([name]) =>
            versionName.test(name),
          )
        : [[place, at(presentation, place.split('/').slice(1), {})[0]?.value]]
    const [first] = found
    if (!first) return inconclusive('no version was found; declare `dialect.presentation.version`')
    const [name, version] = found.find(([, value]) => isOne(value)) ?? first
    return check(isOne(version), `\`${name}\`: 1`, `\`${name}\`: ${canonical(version)}`, exchange)
  })
}

function isOne(version: unknown): boolean {
  return version === 1 || (typeof version === 'string' && /^v?1(?:\.0+)*$/.test(version))
}

/**
 * A plain turn has no presentation. A null warns, since it states that there is none; one with content warns, since
 * the turn was not plain. An empty one fails.
 */
export function noPresentation(exchange: Exchange): Judgement {
  const presentation = presentationOf(exchange)
  if (presentation === undefined) return pass
  const [expected, got] = ['`presentation`: absent', `\`presentation\`: ${excerpt(canonical(presentation))}`]
  const excused = presentation === null || (isObject(presentation) && hasContent(presentation))
  return excused ? warn(expected, got, exchange) : fail(expected, got, exchange)
}

/** Messages, buttons and media are lists, or objects of their own. */
function hasContent(value: Readonly<Record<string, unknown>>): boolean {
  return Object.values(value).some((inner) =>
    Array.isArray(inner) ? inner.length > 0 : isObject(inner) && Object.keys(inner).length > 0,
  )
}

/**
 * Judgements on pressed buttons: the same press again with its key, and interactions that were never offered. A
 * forged interaction may be answered as if only its text had been sent, but must not act as a button.
 */
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
  return given(ran(press), () => warn('a replay', '409 WORKFLOW_INTERACTION_STALE', again))
}

/**
 * The exchanges of a scenario: the plain message that returns the button, interactions that were never offered, the
 * genuine press. `texts`: the messages of some of those interactions, sent alone and otherwise unchanged.
 */
interface Presses {
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
      if (text) return besideText(one, text, genuine, dialect)
      return isText(one, opening) ? pass : asGenuine(one, genuine)
    })
  })
  return confirmed(judged, replied(genuine))
}

const offered = 'a refusal, or a reply to the text alone'
const got = (one: Exchange): string => `\`presentation\`: ${shown(one)}`

/** The response to the message of an interaction alone. */
function textResponseOf(one: Exchange, texts: readonly Exchange[]): Exchange | undefined {
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

function asGenuine(one: Exchange, genuine: Exchange): Judgement {
  return shownText(one) === shownText(genuine) ? fail(offered, got(one), one) : warn(offered, got(one), one)
}

/** The button of one agent, sent to another one in a new conversation. */
interface PressElsewhere {
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

/** The texts that a person reads: ids differ in every presentation. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /[0-9a-f]{8}|^\d/i.test(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((name) => !members.some((member) => member === name))
    .toSorted()
    .flatMap((name) => textsIn(value[name]))
}

/**
 * The replay has the presentation of the original. URLs may have new signatures, but no button may have changed; a
 * changed time only warns.
 */
export function samePresentation(original: Exchange, again: Exchange, dialect: Dialect): Judgement {
  return inTurn(need(field(original, 'presentation', 'object')), need(succeeded(again)), () => {
    const both = [original, again].map(presentationOf)
    const alike = (by: (one: unknown) => string): boolean => new Set(both.map(by)).size === 1
    const [expected = '', got = ''] = both.map((one) => `\`presentation\`: ${excerpt(canonical(one))}`)
    if (!alike((one) => canonical(buttons(one, dialect)))) return fail(expected, got, again)
    if (alike((one) => canonical(reduced(one, withoutQuery)))) return pass
    const isTime = alike((one) => canonical(reduced(one, withoutTime)))
    return isTime ? warn(expected, got, again) : fail(expected, got, again)
  })
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
