/** Texts of a counterexample as words of bash: literal bytes quoted, references as variables. */
import { quote } from '../../reports/bundle/curl.ts'
import type { Json } from '../wire/json.ts'
import { referring, type StepBody, type From, type Reference, type StepText } from './file.ts'
import { isObject } from '../../spec/json.ts'

export type Pieces = readonly (string | Reference)[]

const name = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '_')

/** What a person sets before the script is run. */
export function keyVariable(role: string): string {
  return role === 'self' ? 'API_KEY' : `API_KEY_${name(role).toUpperCase()}`
}

export function agentVariable(agent: string): string {
  return agent === 'plain' ? 'AGENT_ID' : `AGENT_ID_${name(agent).toUpperCase()}`
}

export function sessionVariable(header: string): string {
  return `SESSION_${name(header).toUpperCase()}`
}

export function freshVariable(reference: Reference): string | null {
  if ('fresh' in reference) return name(reference.fresh)
  if ('uuid' in reference) return name(reference.uuid)
  return 'unknownKey' in reference ? name(reference.unknownKey) : null
}

const piecesOf = (text: StepText): Pieces => (typeof text === 'string' ? [text] : text)

/** A word that is never empty and never split. */
export function wordOf(text: StepText, before = ''): string {
  const pieces = [before, ...piecesOf(text)].filter((piece) => piece !== '')
  if (pieces.length === 0) return "''"
  return pieces.map((piece) => (typeof piece === 'string' ? literal(piece) : variable(piece))).join('')
}

/** Header values are Latin-1 in the journal, and so they have to reach the wire. */
export function headerWord(header: string, text: StepText): string {
  const pieces = piecesOf(text)
  if (pieces.every((piece) => piece === '')) return quote(Buffer.from(`${header};`))
  const words = [`${header}: `, ...pieces].map((piece) =>
    typeof piece === 'string' ? quote(Buffer.from(piece, 'latin1')) : variable(piece),
  )
  return words.join('')
}

function literal(text: string): string {
  return quote(new TextEncoder().encode(text))
}

function variable(reference: Reference): string {
  if ('agent' in reference) return `"$${agentVariable(reference.agent)}"`
  if ('key' in reference) return `"$${keyVariable(reference.key)}"`
  if ('session' in reference) return `"$${sessionVariable(reference.session)}"`
  if ('from' in reference) return `"$(text_of ${literal(reference.from)} ${literal(reference.at)})"`
  return `"$${freshVariable(reference) ?? ''}"`
}

/** A command that prints the body; null where there is none. */
export function bodyCommand(body: StepBody | undefined): string | null {
  if (body === undefined) return null
  if ('base64' in body) return `base64 -d <<<${body.base64}`
  if ('json' in body) return `printf '%s' ${jsonWord(body.json)}`
  const zero = piecesOf(body.text).some((piece) => typeof piece === 'string' && piece.includes('\0'))
  // No word of a shell can hold a zero byte, but what a command prints can.
  return zero ? octalCommand(body.text) : `printf '%s' ${wordOf(body.text)}`
}

function octalCommand(text: StepText): string {
  const octal = (piece: string): string =>
    `printf '${Array.from(Buffer.from(piece), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`
  const parts = piecesOf(text).map((piece) =>
    typeof piece === 'string' ? octal(piece) : `printf '%s' ${variable(piece)}`,
  )
  return `{ ${parts.join('; ')}; }`
}

function jsonWord(value: Json): string {
  const words: string[] = []
  let plain = ''
  const flush = (word: string): void => {
    if (plain !== '') words.push(literal(plain))
    plain = ''
    if (word !== '') words.push(word)
  }
  const write = (node: Json): void => {
    if (Array.isArray(node)) return list(node as readonly Json[], '[', ']', write)
    if (!isObject(node)) return void (plain += JSON.stringify(node))
    const found = referring(node)
    if (found) return '$text' in found ? textPieces(found.$text) : flush(jsonOf(found.$copy))
    list(Object.entries(node), '{', '}', ([key, inner]) => {
      plain += `${JSON.stringify(key)}:`
      write(inner)
    })
  }
  const list = <T>(items: readonly T[], open: string, close: string, each: (item: T) => void): void => {
    plain += open
    items.forEach((item, at) => {
      if (at > 0) plain += ','
      each(item)
    })
    plain += close
  }
  const textPieces = (text: StepText): void => {
    const pieces = piecesOf(text)
    const [only] = pieces
    // As JSON, whatever is in it.
    if (pieces.length === 1 && typeof only === 'object' && 'from' in only) return flush(jsonOf(only))
    plain += '"'
    for (const piece of pieces) {
      if (typeof piece === 'string') plain += JSON.stringify(piece).slice(1, -1)
      else flush(variable(piece))
    }
    plain += '"'
  }
  write(value)
  flush('')
  return words.join('')
}

function jsonOf({ from, at }: From): string {
  return `"$(json_of ${literal(from)} ${literal(at)})"`
}
