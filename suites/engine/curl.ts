/** An exchange as a line for a shell, so that a person can send it again. The API key becomes `$TOUCHSTONE_KEY`. */
import type { Exchange, Header } from '../wire/exchange.ts'

/** Headers that curl writes itself. */
const own: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding']

/** `baseUrl` without a trailing slash; null leaves it to `$TOUCHSTONE_URL`. */
export function curlOf({ request }: Exchange, baseUrl: string | null = null): string {
  const { method, path, headers, body } = request
  const address = baseUrl === null ? `"$TOUCHSTONE_URL"${quoted(path)}` : quoted(`${baseUrl}${path}`)
  const parts = [
    ['curl', '-sS', '-i', '-X', method, address],
    ...headers
      .filter(([name]) => !own.includes(name.toLowerCase()))
      .map((header) => ['-H', headerOf(header)]),
    ...(body.byteLength > 0 ? [['--data-binary', dataOf(body)]] : []),
  ]
  return parts.map((part) => part.join(' ')).join(' ')
}

/** A header without a value needs a semicolon, or curl leaves it out. */
function headerOf([name, value]: Header): string {
  const credentials = /^(bearer\s+)\S+$/i.exec(value)
  if (name.toLowerCase() === 'authorization' && credentials)
    return `${quoted(`${name}: ${credentials[1]}`)}"$TOUCHSTONE_KEY"`
  return quoted(value === '' ? `${name};` : `${name}: ${value}`)
}

/** Text as it is; anything that is not text, or that a shell cannot hold, as escapes. */
function dataOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body)
  const faithful = Buffer.from(text).equals(body) && !text.includes('\0')
  if (faithful && !text.startsWith('@')) return quoted(text)
  const escapes = Array.from(body, (byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`)
  return `@<(printf '${escapes.join('')}')`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
