/** Exchanges as an HTTP Archive 1.2, without credentials: `touchstone judge` and the tools of browsers read it. */
import type { Exchange } from '../state/exchanges.ts'
import { bodyTextOf, contentType, durationOf } from './summary.ts'

const pairs = (headers: Exchange['responseHeaders']) => headers.map(([name, value]) => ({ name, value }))

const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

function entryOf(one: Exchange): object {
  const { at, method, path, request, status, responseHeaders, chunks } = one
  const text = bodyTextOf(one)
  const time = durationOf(one) ?? -1
  const wait = Math.min(chunks[0]?.afterMs ?? time, time)
  const mimeType = request.headers.find(([name]) => name?.toLowerCase() === 'content-type')?.[1] ?? ''
  return {
    startedDateTime: at,
    time,
    request: {
      ...common,
      method,
      url: new URL(path, location.origin).href,
      headers: pairs(request.headers),
      queryString: [],
      ...(request.body !== '' && { postData: { mimeType, text: request.body } }),
    },
    response: {
      ...common,
      status: status ?? 0,
      statusText: '',
      headers: pairs(responseHeaders),
      redirectURL: '',
      content: { size: text.length, mimeType: contentType(one), text },
      ...(one.closedBy !== 'server' && { _failureText: one.closedBy ?? 'in flight' }),
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(-1, time - wait) },
  }
}

export const harOf = (all: readonly Exchange[]): string =>
  JSON.stringify(
    { log: { version: '1.2', creator: { name: 'Touchstone', version: '1' }, entries: all.map(entryOf) } },
    null,
    1,
  )
