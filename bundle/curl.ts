/**
 * A request as a command that can be pasted into bash or zsh. Credentials are a variable, never a value, whatever
 * their scheme.
 */
import { evidenceFolder, isLarge } from './journal/evidence.ts'
import type { Exchange, RunRecord } from './record.ts'
import { token } from './redaction/search.ts'
import { sha256 } from './seal/digest.ts'

/**
 * curl makes these itself, and nothing that is judged depends on how. A request that is repeated must not look like the
 * one that was recorded: two requests with one span would be mixed up in the log of the server, so a report shows the
 * recorded `traceparent` beside the command.
 */
const made = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'user-agent',
  'accept-encoding',
  'traceparent',
])
/** A key that was sent on purpose although it is of no account may be a real one with a letter changed. */
const wrongKey = '${WRONG_API_KEY:-sk-wrong}'

export interface CurlTarget {
  baseUrl: string
  /** The address of a `simulator` is a variable, because it is gone after the run. */
  kind?: string
  keys?: Origins
}

/** Where secrets come from, as `env:NAME` or `file:PATH`: the key of a principal by its name, a header as `header:NAME`. */
type Origins = Readonly<Record<string, string>>

/** One line of shell for an exchange that we sent. `baseUrl` has no trailing slash. `folder`: of the run, which has large bodies. */
export function curlOf({ request }: Exchange, target: CurlTarget, folder?: string): string {
  const { baseUrl, kind, keys = {} } = target
  const headers = request.headers.filter(([name]) => !made.has(name.toLowerCase()))
  const words = [
    'curl -sS -i -N',
    `-X ${quoteText(request.method)}`,
    kind === 'simulator'
      ? `"\${BASE_URL:-${simulatorUrl}}"${wordOf(Buffer.from(request.path), keys)}`
      : wordOf(Buffer.from(`${request.replica ?? baseUrl}${request.path}`), keys),
  ]
  for (const [name, value] of headers) words.push(`-H ${headerWord(name, value, request.principal, keys)}`)
  if (request.body.length === 0) return words.join(' ')
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (!hasType) words.push("-H 'Content-Type:'")
  return [...words, bodyWords(request.body, keys, folder)].join(' ')
}

/** The variable of a secret by the name in its token, such as `key:main` or `header:X-Gate`; a plain `PATH` is not ours. */
export const secretVariable = (name: string): string =>
  name
    .replace(/^key(:main$)?/, 'API_KEY')
    .replaceAll(/\W+/g, '_')
    .toUpperCase()

/** What a shell gets a secret from, within double quotes; null where its origin is not known. */
export function secretOrigin(name: string, keys: Origins, ifUnset = ''): string | null {
  const [, kind, place = ''] = /^(env|file):(.+)$/.exec(keys[name.replace(/^key:/, '')] ?? '') ?? []
  if (kind === 'env' && /^\w+$/.test(place)) return ifUnset === '' ? `$${place}` : `\${${place}${ifUnset}}`
  return kind === 'file' ? `$(cat ${quoteText(place)})` : null
}

export const ifUnset = ':?set it first'

function secretWord(name: string, keys: Origins): string {
  const known = secretOrigin(name, keys) ?? (name === 'key:main' ? '$API_KEY' : null)
  return known ?? `\${${secretVariable(name)}${ifUnset}}`
}

/** A token of redaction stands for a secret, which whoever runs the line has. */
function wordOf(bytes: Uint8Array, keys: Origins): string {
  const parts = Buffer.from(bytes).toString('latin1').split(token)
  if (parts.length === 1) return quote(bytes)
  const words = parts.map((part, at) =>
    at % 2 === 1 ? `"${secretWord(part, keys)}"` : part && quote(Buffer.from(part, 'latin1')),
  )
  return words.join('')
}

function bodyWords(body: Uint8Array, keys: Origins, folder?: string): string {
  if (folder !== undefined && isLarge(body))
    return `--data-binary @${quoteText(`${folder}/${evidenceFolder}/${sha256(body)}`)}`
  if (!body.includes(0)) return `--data-raw ${wordOf(body, keys)}`
  // No shell word can hold a zero byte, but what a command prints can.
  return `--data-binary @<(printf ${octal(body)})`
}

export const octal = (bytes: Uint8Array): string => `'${Array.from(bytes, inOctal).join('')}'`
const inOctal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`

/** Header values are Latin-1 in the journal, and so they have to reach the wire. */
function headerWord(name: string, value: string, principal: string | null, keys: Origins): string {
  // curl reads a header that ends in a colon as one to leave out, and sends an empty one for a semicolon.
  if (value === '') return quoteText(`${name};`)
  const [, secret = ''] = token.exec(value) ?? []
  if (secret === '' && name.toLowerCase() === 'cookie')
    return `"${name}: ${secretWord(`header:${name}`, keys)}"`
  if (secret.startsWith('header:') || name.toLowerCase() !== 'authorization')
    return wordOf(Buffer.from(`${name}: ${value}`, 'latin1'), keys)
  // A scheme without a key is no credential.
  if (/^bearer ?$/i.test(value)) return quoteText(`${name}: ${value}`)
  const [, scheme = ''] = /^([\w-]{1,20} )/.exec(value) ?? []
  return `"${name}: ${scheme}${principal === null ? wrongKey : secretWord(`key:${principal}`, keys)}"`
}

/** A word for a shell. */
export function quoteText(text: string): string {
  return quote(new TextEncoder().encode(text))
}

/** As it is where it can be, single quotes where they do, and the C form of the shell where a byte would not survive being shown. */
export function quote(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  if (/^[\w%+:,./-]+$/.test(text)) return text
  if (bytes.every(isPlain)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  return `$'${Array.from(bytes, escaped).join('')}'`
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x7e
}

function escaped(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === "'" || character === '\\') return `\\${character}`
  // Octal with three digits ends by itself; a hexadecimal escape would swallow a digit that follows.
  return isPlain(byte) ? character : inOctal(byte)
}

/** How a printed command is started if it is not known how the user does. */
export const ownCommand = 'npx touchstone'

export const simulatorPort = 4010
export const simulatorUrl = `http://127.0.0.1:${simulatorPort}`

export function simulateAgain({ run, target }: Pick<RunRecord, 'run' | 'target'>): string | null {
  const { kind, arguments: named = [] } = target
  if (kind !== 'simulator') return null
  const words = ['--port', String(simulatorPort), ...named.slice(1)]
  return `${run.origin?.command?.start ?? ownCommand} simulate ${words.map(quoteText).join(' ')}`
}
