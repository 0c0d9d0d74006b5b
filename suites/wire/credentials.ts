/** The secret parts of a header value: a service that repeats one repeats it without the rest. */
import { Buffer } from 'node:buffer'
import type { Secret } from '../../bundle/redaction/redaction.ts'
import type { Header } from './exchange.ts'

/** Shorter values are ordinary words; who uses one as a secret has none. */
export const isSecret = ({ value }: Secret): boolean => value.length >= 8

/** As part of the name of a secret. */
export const secretName = (name: string): string => name.replaceAll(/[^\w.-]/g, '-')

export const headerSecrets = (header: Header, name = header[0]): readonly Secret[] =>
  credentialsIn(header).map((value) => ({ name: `header:${secretName(name)}`, value }))

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
