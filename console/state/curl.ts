/** A request as a command line for a POSIX shell. */
import type { ServiceRequest } from './service.ts'

export function curlOf({ method, path, headers, body }: ServiceRequest): string {
  return [
    `curl -sS${method === (body === null ? 'GET' : 'POST') ? '' : ` -X ${method}`} ${shellQuoted(location.origin + path)}`,
    ...headers.map(([name = '', value = '']) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ')
}

/** Text as one word of a POSIX shell, in which nothing of it has a meaning. */
const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
