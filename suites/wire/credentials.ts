/** The secret parts of a header value: a service that repeats one repeats it without the rest. */
import { Buffer } from 'node:buffer'
import type { Header } from './exchange.ts'

/** The whole value first; then the value of each cookie, what follows the scheme, and the password within that. */
export function credentialsIn([name, value]: Header): readonly string[] {
  const read = readers[name.toLowerCase()]
  return [...new Set([value, ...(read?.(value) ?? [])])]
}

const readers: Readonly<Record<string, (value: string) => readonly string[]>> = {
  cookie: (value) => value.split(';').flatMap(cookie),
  authorization,
  'proxy-authorization': authorization,
}

function cookie(pair: string): readonly string[] {
  const [, said = ''] = /^[^=]*=\s*"?([^"]*)/.exec(pair) ?? []
  return [said.trim()]
}

function authorization(value: string): readonly string[] {
  const [, scheme = '', said = ''] = /^\s*(\S+)\s+(.+?)\s*$/.exec(value) ?? []
  if (scheme.toLowerCase() !== 'basic') return [said]
  const pair = Buffer.from(said, 'base64').toString('utf8')
  return [said, pair, pair.slice(pair.indexOf(':') + 1)]
}
