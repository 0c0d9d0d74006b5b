/** The requests of a failure as a script of curl commands, to be read and run without Touchstone. */
import type { Json } from '../wire/exchange.ts'
import { ifUnset, octal, quote, secretOrigin, secretVariable } from '../../bundle/curl.ts'
import { token } from '../../bundle/redaction/search.ts'

export type Reference =
  /** So many hexadecimal digits that were never sent before; the same label stands for the same digits. */
  | { fresh: string; digits: number }
  /** A new uuid; the same label stands for the same one. */
  | { uuid: string }
  /** An agent of the target: `plain`, `second`, or the one that a key is restricted to, as `of <role>`. */
  | { agent: string }
  /** What a token of redaction stands for, by the name in it: `key:main`, `header:Cookie`. */
  | { secret: string }
  /** A credential that nobody owns. */
  | { unknownKey: string }
  /** The text at a JSON pointer in the final fields of an earlier answer: its JSON body, or its `done` event. */
  | { from: string; at: string }

export type From = Extract<Reference, { from: string }>

export type StepText = string | readonly (string | Reference)[]

export type StepBody =
  /** JSON, written without spaces. `{"$text": Text}` stands for a text with references, `{"$copy": {from, at}}` for a copied value. */
  { json: Json } | { text: StepText } | { base64: string }

export interface ReplayStep {
  id: string
  method: string
  /** Below the base address. */
  path: StepText
  headers: readonly (readonly [name: string, value: StepText])[]
  body?: StepBody
  /** Milliseconds to wait before it, after what came before has been answered. */
  waitMs?: number
  /** Milliseconds after the first of those that are sent at once. */
  afterMs?: number
  /** The client goes away: after so many milliseconds, or, where null, in the middle of the body. */
  leavesMs?: number | null
  /** What came back in the run; null where nothing did. */
  was: number | null
}

export interface AtOnce {
  atOnce: readonly ReplayStep[]
}

/** What was sent, with a reference wherever a value was made for one run only. */
export interface Counterexample {
  check: string
  clause: { id: string; level: string; text: string }
  expected: string
  got: string
  needs: { states: readonly { state: string; by: string }[]; receiver: boolean }
  steps: readonly (ReplayStep | AtOnce)[]
}

const flatSteps = ({ steps }: Pick<Counterexample, 'steps'>): readonly ReplayStep[] =>
  steps.flatMap((step) => ('atOnce' in step ? step.atOnce : [step]))

/** In the order in which they are sent. What merely looks like one in a body is none. */
function referencesIn({ path, headers, body }: ReplayStep): readonly Reference[] {
  const texts = [path, ...headers.map(([, value]) => value), ...(body && 'text' in body ? [body.text] : [])]
  return [...texts.flatMap(referencesOf), ...(body && 'json' in body ? inJson(body.json) : [])]
}

function referencesOf(text: StepText): readonly Reference[] {
  return piecesOf(text).filter((piece) => typeof piece !== 'string')
}

function inJson(value: Json): readonly Reference[] {
  const found = referring(value)
  if (typeof value === 'string') return referencesOf(value)
  if (found === null)
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(inJson) : []
  return '$copy' in found ? [found.$copy] : referencesOf(found.$text)
}

function referring(value: Json): { $text: StepText } | { $copy: From } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members = value as Readonly<Record<string, unknown>>
  if (members['$text'] !== undefined) return { $text: members['$text'] as StepText }
  return members['$copy'] === undefined ? null : { $copy: members['$copy'] as From }
}

/** Values of variables where nothing else is set, and how to start the service where nothing runs at that address. */
export interface ScriptDefaults {
  readonly BASE_URL?: string
  readonly AGENT_ID?: string
  readonly start?: string
  /** Where secrets come from, as in the record of the run. */
  readonly keys?: Readonly<Record<string, string>>
}

/** Credentials are variables. */
export function scriptOf(
  file: Counterexample,
  { start, keys = {}, ...defaults }: ScriptDefaults = {},
): string {
  const { clause, check, expected, got, needs } = file
  const byHand = [
    ...needs.states.map(({ state, by }) => `the state ${state} (in the run by ${by})`),
    ...(needs.receiver ? ['a receiver of deliveries, at the addresses in the bodies'] : []),
  ]
  const head = [
    `${clause.id} (${clause.level}): ${clause.text}`,
    `Check: ${check}`,
    `Expected: ${expected}`,
    `Got: ${got}`,
    ...byHand.map((words) => `No request can provide ${words}.`),
    ...(start === undefined ? [] : [`Start the simulator first; it prints its API key: ${start}`]),
  ]
  const lines = [
    '#!/usr/bin/env bash',
    ...head.map(comment),
    'set -u',
    ...settings(file, defaults, keys),
    '',
    ...file.steps.flatMap(stepLines(flatSteps(file))),
  ]
  return `${lines.join('\n')}\n`
}

/** A text within a comment can neither end it nor begin a command. */
const comment = (text: string): string => `# ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()}`

const variablePart = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '_')

function variable(reference: Reference): string {
  if ('secret' in reference) return secretVariable(reference.secret)
  if ('agent' in reference)
    return reference.agent === 'plain'
      ? 'AGENT_ID'
      : `AGENT_ID_${variablePart(reference.agent).toUpperCase()}`
  if ('from' in reference) return variablePart(`from_${reference.from}${reference.at}`)
  return variablePart(
    'fresh' in reference ? reference.fresh : 'uuid' in reference ? reference.uuid : reference.unknownKey,
  )
}

const hex = (digits: number): string =>
  `$(od -An -N${digits} -tx1 /dev/urandom | tr -d ' \\n' | cut -c 1-${digits})`
const uuid = `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`

function settings(
  file: Counterexample,
  defaults: Readonly<Record<string, string>>,
  keys: Readonly<Record<string, string>>,
): readonly string[] {
  const names = ['BASE_URL']
  const origins = new Map<string, string | null>()
  const fresh = new Map<string, string>()
  for (const reference of flatSteps(file).flatMap(referencesIn)) {
    const name = variable(reference)
    if ('fresh' in reference) fresh.set(name, hex(reference.digits))
    else if ('uuid' in reference) fresh.set(name, uuid)
    else if ('unknownKey' in reference) fresh.set(name, `sk-${uuid}`)
    else if (!('from' in reference)) names.push(name)
    if ('secret' in reference) origins.set(name, secretOrigin(reference.secret, keys, ifUnset))
  }
  const given = [...new Set(names)].map((name) => {
    const value = defaults[name]
    const origin = value === undefined ? origins.get(name) : quote(Buffer.from(value))
    return origin == null ? `: "\${${name}${ifUnset}}"` : `${name}=\${${name}-${origin}}`
  })
  return [...given, ...[...fresh].map(([name, value]) => `${name}=${value}`)]
}

const stepLines =
  (all: readonly ReplayStep[]) =>
  (step: ReplayStep | AtOnce): readonly string[] => {
    const steps = 'atOnce' in step ? step.atOnce : [step]
    const lines = steps.flatMap((one) => [
      comment(`${all.indexOf(one) + 1}. ${one.id}${'atOnce' in step ? ', at once' : ''}: ${was(one)}`),
      ...(one.waitMs === undefined ? [] : [`sleep ${one.waitMs / 1000}`]),
      'atOnce' in step
        ? `(${one.afterMs === undefined ? '' : `sleep ${one.afterMs / 1000}; `}${curlLine(one)}) &`
        : curlLine(one),
    ])
    return 'atOnce' in step ? [...lines, 'wait'] : lines
  }

const was = ({ was: status }: ReplayStep): string => (status === null ? 'no response' : `got ${status}`)

function curlLine({ method, path, headers, body, leavesMs }: ReplayStep): string {
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return [
    `curl -sS -i -N -w '\\n\\n' --http1.1 --path-as-is -X ${quote(Buffer.from(method))} "$BASE_URL"${wordOf(piecesOf(path))}`,
    ...headers.map(([name, value]) => `-H ${headerWord(name, piecesOf(value))}`),
    ...(body && !isTyped ? ["-H 'Content-Type:'"] : []),
    ...(body ? [bodyWords(body)] : []),
    ...(leavesMs === undefined ? [] : [`--max-time ${(leavesMs ?? 300) / 1000}`]),
  ].join(' ')
}

type Pieces = readonly (string | Reference)[]

const piecesOf = (text: StepText): Pieces =>
  (typeof text === 'string' ? [text] : text).flatMap((piece): Pieces =>
    typeof piece === 'string'
      ? piece.split(token).map((part, at) => (at % 2 === 1 ? { secret: part } : part))
      : [piece],
  )

/** One word of the shell, which is neither empty nor split. */
function wordOf(pieces: Pieces, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const joined = pieces.reduce<(string | Reference)[]>((all, piece) => {
    const last = all.at(-1)
    return typeof last === 'string' && typeof piece === 'string'
      ? [...all.slice(0, -1), last + piece]
      : [...all, piece]
  }, [])
  const words = joined
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (typeof piece === 'string') return quote(Buffer.from(piece, encoding))
      const copied = 'from' in piece ? `:?copy it from the response to ${piece.from}, at ${piece.at}` : ''
      return `"\${${variable(piece)}${copied.replaceAll(/["\\`$}]/g, ' ')}}"`
    })
  return words.join('') || "''"
}

/** Header values are Latin-1 in the journal. curl sends an empty one for a semicolon. */
function headerWord(name: string, value: Pieces): string {
  return wordOf(value.every((piece) => piece === '') ? [`${name};`] : [`${name}: `, ...value], 'latin1')
}

function bodyWords(body: StepBody): string {
  if ('base64' in body) return `--data-binary @<(printf ${octal(Buffer.from(body.base64, 'base64'))})`
  const pieces = 'json' in body ? jsonPieces(body.json) : piecesOf(body.text)
  if (pieces.every((piece) => typeof piece !== 'string' || !piece.includes('\0'))) {
    const word = wordOf(pieces)
    return word.length > longestArgument ? `--data-binary @<(printf %s ${word})` : `--data-raw ${word}`
  }
  // No word of a shell can hold a zero byte, but what a command prints can.
  const prints = pieces.map((piece) =>
    typeof piece === 'string' ? `printf ${octal(Buffer.from(piece))}` : `printf %s ${wordOf([piece])}`,
  )
  return `--data-binary @<(${prints.join('; ')})`
}

/** Linux allows 128 kB. */
const longestArgument = 100_000

/** JSON without spaces, as it was sent; references are taken out of it by marks that nothing in it contains. */
function jsonPieces(value: Json): Pieces {
  const plain = JSON.stringify(value)
  const unused = Array.from({ length: 0x1000 }, (_, at) => String.fromCharCode(0xe000 + at))
  const [inText = '', whole = ''] = unused.filter((one) => !plain.includes(one))
  const found: Reference[] = []
  const mark = (by: string, reference: Reference): string => `${by}${found.push(reference) - 1}${by}`
  const marked = JSON.stringify(value, (_, node: Json) => {
    const stands = referring(node)
    if (stands === null) return node
    if ('$copy' in stands) return mark(whole, stands.$copy)
    return piecesOf(stands.$text)
      .map((piece) => (typeof piece === 'string' ? piece : mark(inText, piece)))
      .join('')
  })
  // A copied value may be of any type: the caller gives it as JSON.
  return marked
    .split(new RegExp(`"${whole}(\\d+)${whole}"|${inText}(\\d+)${inText}`))
    .flatMap((piece, at): Pieces => {
      // Of the two ways to be marked one did not match.
      const reference = at % 3 === 0 ? piece : piece === undefined ? undefined : found[Number(piece)]
      return reference === undefined ? [] : piecesOf([reference])
    })
}
