/**
 * Finds the buttons of a presentation. The contract shows the form of a selection, but not where in a presentation
 * its members are, so every position is searched.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, type Json, excerpt } from '../../wire/exchange.ts'
import { isObject } from '../../../spec/json.ts'
import { fail, check, given, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { canonical, field, fields } from '../../assertions/reply.ts'

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

/** Whether a reply has a presentation; one may follow a button. */
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

/** The reply has a presentation with at least one button that can be copied. */
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
  const absent = { field: 'presentation', type: 'absent' } as const
  return excused ? warn(expected, got, exchange, absent) : fail(expected, got, exchange, absent)
}

/** Messages, buttons and media are lists, or objects of their own. */
function hasContent(value: Readonly<Record<string, unknown>>): boolean {
  return Object.values(value).some((inner) =>
    Array.isArray(inner) ? inner.length > 0 : isObject(inner) && Object.keys(inner).length > 0,
  )
}
