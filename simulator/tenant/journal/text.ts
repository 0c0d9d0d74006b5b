/** Entries of a journal as a person reads them: a line or two each, without credentials. */
import type { JournalEntry } from './entry.ts'
import { redactKeys } from '../redacted.ts'

export const requestText = (entry: JournalEntry): string => Buffer.from(entry.body).toString('utf8')

/** The body of the request as JSON; undefined where it is none. */
export function requestBodyJson(entry: JournalEntry): unknown {
  try {
    return JSON.parse(requestText(entry))
  } catch {
    return undefined
  }
}

/** The body of the answer so far, as UTF-8; of a stream, its events as they went out. */
export const responseText = (entry: JournalEntry): string =>
  Buffer.concat(entry.response.map(({ bytes }) => bytes)).toString('utf8')

const longest = 160

function excerpt(body: string): string {
  const line = redactKeys(body).replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}… (${body.length} characters)` : line
}

const endings: Readonly<Record<string, string>> = {
  drop: ', the connection was cut',
  client: ', the client went away',
}

function outcome({ status, closedBy }: JournalEntry): string {
  if (closedBy === null) return status === 0 ? 'under way' : `${status}, under way`
  return `${status === 0 ? 'no answer' : status}${endings[closedBy] ?? ''}`
}

/** Such as `#2 POST /api/v1/chat/agent_1 → 409`. */
export const entryLine = (entry: JournalEntry): string =>
  `#${entry.id} ${entry.method} ${redactKeys(entry.path)} → ${outcome(entry)}`

function paragraph(entry: JournalEntry): string {
  const [request, response] = [excerpt(requestText(entry)), excerpt(responseText(entry))]
  const bodies = [request && `    > ${request}`, response && `    < ${response}`]
  return [`  ${entryLine(entry)}`, ...bodies.filter(Boolean)].join('\n')
}

/** `most`: how many at the most, the newest. */
export function entriesText(entries: readonly JournalEntry[], most = 20): string {
  const left = entries.length - most
  const shown = entries.slice(-most).map(paragraph)
  return [...(left > 0 ? [`  … ${left} before these`] : []), ...shown].join('\n')
}

export const askedAndAnswered = (entries: readonly JournalEntry[]): string =>
  entries.length === 0
    ? 'It was asked nothing with a key of this tenant.'
    : `It was asked and answered:\n${entriesText(entries)}`
