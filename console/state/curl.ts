/** A request as a command line for a POSIX shell. */
import { shellQuoted } from './shell-quoted.ts'
import type { ServiceRequest } from './service.ts'

export function curlOf({ method, path, headers, body }: ServiceRequest): string {
  return [
    `curl -sS${method === (body === null ? 'GET' : 'POST') ? '' : ` -X ${method}`} ${shellQuoted(location.origin + path)}`,
    ...headers.map(([name = '', value = '']) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ')
}
