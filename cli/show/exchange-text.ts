/** An exchange as text: what a search looks through. */
import { joined } from '../../reports/bundle/chunks.ts'
import type { Exchange } from '../../reports/bundle/record.ts'

/** Path, headers and bodies, in lower case. */
export function exchangeText({ request, response }: Exchange): string {
  const heads = [...request.headers, ...(response?.headers ?? [])].map((header) => header.join(': '))
  const received = joined(response?.chunks).toString('utf8')
  const sent = Buffer.from(request.body).toString('utf8')
  return [`${request.method} ${request.path}`, ...heads, sent, received].join('\n').toLowerCase()
}
