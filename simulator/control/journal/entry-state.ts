/** An entry of a journal in the shapes of spec/control.yaml. Readers over the network get no credentials. */
import type { HeaderLine } from '../../edge/reply.ts'
import type { components } from '../../../spec/types/control.ts'
import type { JournalEntry } from '../../tenant/journal/entry.ts'
import { redactedHeaders, withoutKeys, withoutWholeKeys } from '../../tenant/redacted.ts'
import { requestFacts, responseFacts } from './facts.ts'
import { ShownBody } from './shown-body.ts'

type Schemas = components['schemas']

/** The latest: what happens in one turn of a server has mostly the same time. */
let latest = { ms: 0, text: new Date(0).toISOString() }

export function isoTime(ms: number): string {
  if (latest.ms !== ms) latest = { ms, text: new Date(ms).toISOString() }
  return latest.text
}

export const shownHeaders = (headers: readonly HeaderLine[]): string[][] =>
  redactedHeaders(headers).map(([name, value]) => [name, value])

/** What was asked: all that there is of an entry at first. */
export const requestState = (entry: JournalEntry): Omit<Schemas['JournalRequestEvent'], 'type'> => ({
  id: entry.id,
  at: isoTime(entry.at),
  method: entry.method,
  path: withoutKeys(entry.path),
  ...requestFacts(entry),
  request: {
    headers: shownHeaders(entry.headers),
    body: withoutWholeKeys(Buffer.from(entry.body).toString('utf8')),
  },
})

/** How it was answered, without what was said. `body`: as it is shown. */
export const endState = (
  entry: JournalEntry,
  body: string,
): Omit<Schemas['JournalEndEvent'], 'type' | 'id'> => ({
  status: entry.status === 0 ? null : entry.status,
  closedBy: entry.closedBy,
  ...(entry.endedAt === undefined ? {} : { endedAt: isoTime(entry.endedAt) }),
  ...responseFacts(entry, body),
})

export function entryState(entry: JournalEntry): Schemas['JournalEntry'] {
  const { body, chunks } = shownResponse(entry)
  return {
    ...requestState(entry),
    ...endState(entry, body),
    response: { headers: shownHeaders(entry.responseHeaders), body },
    chunks,
  }
}

export function shownResponse({ response }: JournalEntry): {
  body: string
  chunks: Schemas['JournalChunk'][]
} {
  const shown = new ShownBody()
  let body = ''
  const chunks = response.map(({ at, bytes }) => {
    const chunk = { at: isoTime(at), offset: body.length }
    body += shown.piece(bytes)
    return chunk
  })
  return { body: body + shown.rest(), chunks }
}
