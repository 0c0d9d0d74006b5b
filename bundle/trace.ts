/** From an exchange to the log of the server: W3C Trace Context, and the ids that servers give to requests. */
import { createHash } from 'node:crypto'
import type { Exchange, Header } from './exchange.ts'

const isTraceparent = ([name]: Header): boolean => name.toLowerCase() === 'traceparent'
const hex = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)

export const withoutTrace = (headers: readonly Header[]): readonly Header[] =>
  headers.filter((header) => !isTraceparent(header))

/**
 * The headers with a `traceparent`: its trace is the run, its span is the request. One of the same run was copied from
 * an earlier request and is replaced; any other was set on purpose and stays.
 */
export function traced(headers: readonly Header[], run: string, request: string): readonly Header[] {
  const trace = `00-${hex(run, 32)}-`
  const own = headers.filter((header) => !isTraceparent(header) || !header[1].startsWith(trace))
  if (own.some(isTraceparent)) return own
  return [...own, ['traceparent', `${trace}${hex(`${run} ${request}`, 16)}-01`]]
}

/** Response headers with the id of a request, the likeliest first. */
const requestIdHeaders: readonly string[] = ['x-request-id', 'x-correlation-id', 'traceresponse']

/** What finds an exchange in the log of the server; of a request that the server sent, its own headers say it. */
export function loggedAs(
  { inbound, request, response }: Exchange,
  { requestIdHeader }: { requestIdHeader?: string },
): { trace: string | null; requestId: string | null } {
  const ofServer = (inbound ? request.headers : response?.headers) ?? []
  const names = requestIdHeader === undefined ? requestIdHeaders : [requestIdHeader, ...requestIdHeaders]
  const [requestId = null] = names.flatMap((wanted) =>
    ofServer.filter(([name]) => name.toLowerCase() === wanted.toLowerCase()).map(([, value]) => value),
  )
  return { trace: request.headers.find(isTraceparent)?.[1] ?? null, requestId }
}

/** The same in words; empty if nothing is known. */
export function loggedWords(...about: Parameters<typeof loggedAs>): string {
  const { trace, requestId } = loggedAs(...about)
  return [trace && `traceparent ${trace}`, requestId && `request id ${requestId}`].filter(Boolean).join(', ')
}
