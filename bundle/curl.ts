/**
 * A request as a command that can be pasted into bash or zsh. Credentials are a variable, never a value, whatever
 * their scheme.
 */
import { evidenceFolder, isLarge } from './journal/evidence.ts'
import type { Exchange, RunRecord } from './record.ts'
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
const keyVariable = { known: '$API_KEY', unknown: '${WRONG_API_KEY:-sk-wrong}' }

export interface CurlTarget {
  baseUrl: string
  /** The address of a `simulator` is a variable, because it is gone after the run. */
  kind?: string
  keys?: Readonly<Record<string, string>>
}

/** What signs a user in, for routes that take no key. */
const cookieVariable = '$TOUCHSTONE_COOKIE'

/**
 * One line of shell for an exchange that we sent. `baseUrl` has no trailing slash. `keys`: where the key of each
 * principal comes from, as `env:NAME` or `file:PATH`. `folder`: of the run, which has large bodies.
 */
export function curlOf({ request }: Exchange, target: CurlTarget, folder?: string): string {
  const { baseUrl, kind, keys = {} } = target
  const key = keyWord(request.principal, keys)
  const headers = request.headers.filter(([name]) => !made.has(name.toLowerCase()))
  const words = [
    'curl -sS -i -N',
    `-X ${quoteText(request.method)}`,
    kind === 'simulator'
      ? `"\${BASE_URL:-${simulatorUrl}}"${quoteText(request.path)}`
      : quoteText(`${request.replica ?? baseUrl}${request.path}`),
  ]
  for (const [name, value] of headers) words.push(`-H ${headerWord(name, value, key)}`)
  if (request.body.length === 0) return words.join(' ')
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (!hasType) words.push("-H 'Content-Type:'")
  return [...words, bodyWords(request.body, folder)].join(' ')
}

/** A variable, or the file that has the key. `main#2` is a further key of `main`, which has no variable of its own. */
function keyWord(principal: string | null, keys: Readonly<Record<string, string>>): string {
  if (principal === null) return keyVariable.unknown
  const [, kind, place = ''] = /^(env|file):(.+)$/.exec(keys[principal] ?? '') ?? []
  if (kind === 'env' && /^\w+$/.test(place)) return `$${place}`
  return kind === 'file' ? `$(cat ${quoteText(place)})` : keyVariable.known
}

function bodyWords(body: Uint8Array, folder?: string): string {
  if (folder !== undefined && isLarge(body))
    return `--data-binary @${quoteText(`${folder}/${evidenceFolder}/${sha256(body)}`)}`
  if (!body.includes(0)) return `--data-raw ${quote(body)}`
  // No shell word can hold a zero byte, but what a command prints can.
  const octal = Array.from(body, (byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `--data-binary @<(printf '${octal.join('')}')`
}

/** Header values are Latin-1 in the journal, and so they have to reach the wire. */
function headerWord(name: string, value: string, key: string): string {
  // curl reads a header that ends in a colon as one to leave out, and sends an empty one for a semicolon.
  if (value === '') return quoteText(`${name};`)
  if (name.toLowerCase() === 'cookie') return `"${name}: ${cookieVariable}"`
  if (name.toLowerCase() !== 'authorization') return quote(Buffer.from(`${name}: ${value}`, 'latin1'))
  // A scheme without a key is no credential.
  if (/^bearer ?$/i.test(value)) return quoteText(`${name}: ${value}`)
  const [, scheme = ''] = /^([\w-]{1,20} )/.exec(value) ?? []
  return `"${name}: ${scheme}${key}"`
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
  return isPlain(byte) ? character : `\\${byte.toString(8).padStart(3, '0')}`
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
