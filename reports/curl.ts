/** A request as a command that can be pasted into a POSIX shell. Credentials are a variable, never a value. */
import type { Exchange } from '../suites/record.ts'
import { textOf } from './transcript.ts'

const longest = 2_000
/** curl makes these itself. */
const made = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])
/** A key that was sent on purpose although nobody owns it may be a real one with a letter changed. */
const keyVariable = { known: '$TOUCHSTONE_KEY', unknown: '$TOUCHSTONE_WRONG_KEY' }

/** One line of shell for an exchange. `baseUrl` has no trailing slash. */
export function curlOf({ id, request }: Exchange, baseUrl: string): string {
  const headers = request.headers.filter(([name]) => !made.has(name.toLowerCase()))
  const words = ['curl -sS -i -N', `-X ${quote(request.method)}`, quote(`${baseUrl}${request.path}`)]
  for (const [name, value] of headers) words.push(`-H ${headerWord(name, value, request.principal !== null)}`)
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (request.body.length === 0) return words.join(' ')
  if (!hasType) words.push("-H 'Content-Type:'")
  const text = request.body.length <= longest ? textOf(request.body) : undefined
  if (text !== undefined) return [...words, `--data-binary ${quote(text)}`].join(' ')
  return `${words.join(' ')} --data-binary @body  # ${request.body.length} bytes: request body of exchange ${id} in journal.ndjson`
}

function headerWord(name: string, value: string, known: boolean): string {
  if (name.toLowerCase() !== 'authorization') return quote(`${name}: ${value}`)
  return `"Authorization: Bearer ${known ? keyVariable.known : keyVariable.unknown}"`
}

/** Single quotes where they do, and the C form of the shell where a byte would not survive being shown. */
export function quote(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const bytes = [...new TextEncoder().encode(text)]
  return `$'${bytes.map(quotedByte).join('')}'`
}

function quotedByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === "'" || character === '\\') return `\\${character}`
  return byte >= 0x20 && byte <= 0x7e ? character : `\\x${byte.toString(16).padStart(2, '0')}`
}
