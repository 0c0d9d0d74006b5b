/**
 * Reads an HTTP Archive 1.2 as browsers, proxies and test tools really write it, an entry at a time: a file may be
 * larger than what fits into one text. What an entry does not have is marked, so that nothing is judged by it.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { isObject } from '../../spec/json.ts'
import type { Exchange, FailureKind, Header } from '../wire/exchange.ts'

/** An entry with times since 1970, before it is known which service it is of. */
export interface ArchiveEntry extends Omit<Exchange, 'id' | 'scenario' | 'name'> {
  url: URL
  /** Of what Touchstone recorded. */
  scenario?: string | undefined
  name?: string | undefined
  /** Touchstone recorded it as what came to it. */
  cameIn?: boolean
}

/** The message names the file and what to do; nothing of its content. */
export class NoArchive extends Error {
  override name = 'NoArchive'
}

type Members = Readonly<Record<string, unknown>>

const objectIn = (value: unknown, name: string): Members => {
  const member = isObject(value) ? value[name] : undefined
  return isObject(member) ? member : {}
}
const textIn = (value: Members, name: string): string | undefined => {
  const member = value[name]
  return typeof member === 'string' ? member : undefined
}
/** 0 for what is missing, or unknown. */
const amountIn = (value: Members, name: string): number => {
  const member = value[name]
  return typeof member === 'number' && member > 0 && Number.isFinite(member) ? member : 0
}

const readBytes = 1 << 20
/** One entry; a larger one is no exchange with this service. */
const mostOfEntry = 64 << 20
/** Depth of an entry: below the archive, its `log` and the list in it. */
const entryDepth = 3

/** Throws NoArchive for what is none, and for one that was cut off. */
export function* entriesInArchive(path: string): Generator<ArchiveEntry> {
  let some = false
  for (const text of objectsOf(path)) {
    const entry = entryOf(parsed(path, text))
    some = true
    if (entry) yield entry
  }
  if (!some) throw new NoArchive(`${path} has no entries: give a HAR file, as a browser or a proxy saves it.`)
}

/** The texts of objects at the depth of an entry, found by brackets and quotes alone. */
function* objectsOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(readBytes)
  let [depth, inText, escaped, began] = [0, false, false, false]
  let parts: Buffer[] = []
  let size = 0
  try {
    for (let length; (length = readSync(file, buffer, 0, readBytes, null)) > 0;) {
      let from = 0
      for (let at = 0; at < length; at++) {
        const byte = buffer[at]
        if (inText) {
          if (escaped) escaped = false
          else if (byte === 0x5c) escaped = true
          else if (byte === 0x22) inText = false
        } else if (byte === 0x22) inText = true
        else if (byte === 0x7b || byte === 0x5b) {
          if (depth++ === entryDepth) from = at
          began = true
        } else if ((byte === 0x7d || byte === 0x5d) && --depth === entryDepth) {
          parts.push(Buffer.from(buffer.subarray(from, at + 1)))
          yield Buffer.concat(parts)
          ;[parts, size] = [[], 0]
        }
        if (!began && byte !== undefined && byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte))
          throw new NoArchive(`${path} is no JSON: give a HAR file, or the folder of a run.`)
      }
      if (depth > entryDepth) {
        size += length - from
        if (size > mostOfEntry) throw new NoArchive(`${path} has an entry of more than 64 MB; leave it out.`)
        parts.push(Buffer.from(buffer.subarray(from, length)))
      }
    }
  } finally {
    closeSync(file)
  }
  if (depth !== 0) throw new NoArchive(`${path} is cut off in the middle: save the recording again.`)
}

function parsed(path: string, text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw new NoArchive(`${path} is no JSON: give a HAR file, or the folder of a run.`)
  }
}

/** Null for pages, sockets and what is no entry. */
function entryOf(value: unknown): ArchiveEntry | null {
  const [asked, answered] = [objectIn(value, 'request'), objectIn(value, 'response')]
  const url = URL.parse(textIn(asked, 'url') ?? '')
  const method = textIn(asked, 'method')
  if (!isObject(value) || !url || method === undefined || !/^https?:$/.test(url.protocol)) return null
  if (value['_webSocketMessages'] !== undefined || value['_resourceType'] === 'websocket') return null
  const sentAt = Date.parse(textIn(value, 'startedDateTime') ?? '')
  if (Number.isNaN(sentAt)) return null
  const timings = objectIn(value, 'timings')
  const before = ['blocked', 'dns', 'connect', 'send', 'wait'].reduce(
    (sum, one) => sum + amountIn(timings, one),
    0,
  )
  const endedAt = sentAt + amountIn(value, 'time')
  const body = sentBody(asked)
  // Some write -1 where none came.
  const status = amountIn(answered, 'status')
  const received = receivedBody(answered)
  const failure = failureOf(value, status, body, received)
  const at = Math.min(sentAt + before, endedAt)
  const [, http] = /^h(?:ttp\/)?([23])/i.exec(textIn(answered, 'httpVersion') ?? '') ?? []
  const cameIn = value['_inbound'] !== undefined
  const own = cameIn ? {} : value
  return {
    url,
    cameIn,
    scenario: textIn(own, '_scenario'),
    name: textIn(own, '_name'),
    request: {
      method: method.toUpperCase(),
      path: `${url.pathname}${url.search}`,
      headers: sentOnce(headersIn(asked)).filter((header) => !isRedacted(header)),
      body: body ?? none,
      principal: null,
    },
    sentAt,
    endedAt,
    response:
      status === 0
        ? null
        : {
            status,
            ...(http && { http: Number(http) as 2 | 3 }),
            // The body is as it was before it was compressed.
            headers: headersIn(answered).filter(([name]) => !/^content-(?:encoding|length)$/i.test(name)),
            at,
            chunks: received && received.length > 0 ? [{ at: endedAt, bytes: received }] : [],
            complete: failure === null,
          },
    failure,
  }
}

const inLatin1 = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1')

/** Without what HTTP/2 writes in place of a first line; a value is Latin-1. */
const headersIn = (message: Members): readonly Header[] =>
  (Array.isArray(message['headers']) ? message['headers'] : []).flatMap((header: unknown) => {
    const [name, value] = isObject(header) ? [textIn(header, 'name'), textIn(header, 'value')] : []
    return name === undefined || value === undefined || name.startsWith(':')
      ? []
      : value.split('\n').map((line): Header => [name, inLatin1(line)])
  })

/** Some recorders write a header as the page set it, and again as it was sent. */
const sentOnce = (headers: readonly Header[]): readonly Header[] => [
  ...new Map(headers.map((header) => [`${header[0].toLowerCase()}\n${header[1]}`, header])).values(),
]

/** Headers that are left out where their value is not the one that was sent. */
const ofSecrets = /^(?:(?:proxy-)?authorization|cookie|x-api-key|x-auth-token|(?:x-)?idempotency-key)$/i

/** Words that no key consists of. */
const wordsOnly =
  /^(?:removed|hidden|masked|filtered|saniti[sz]ed|scrubbed|stripped|omitted|censored|my|your|sk|api|access|auth|secret|private|key|token|value|here|none|null|undefined)*$/i

/** What stands for any value; our own redaction writes another for each, with a digest or the name of the key. */
function isRedacted([name, value]: Header): boolean {
  if (!ofSecrets.test(name)) return false
  const said = value.replace(/^\s*(?:bearer|basic|token)(?:\s+|$)/i, '').trim()
  if (/^\[\[(?:[\w:.-]+:[\da-f]{8}|key:[\w-]+)\]\]$/.test(said)) return false
  const letters = said.replaceAll(/[^a-z\d]/gi, '')
  return (
    wordsOnly.test(letters) ||
    /redacted|[<>{}*]|[^\x20-\x7e]|\.\.\.|^\[/i.test(said) ||
    /^(?:sk)?(.)\1*$/i.test(letters)
  )
}
/** A member of a body; or the whole of it, by our own redaction. */
const hasRedacted = /"[^\w"]{0,4}redacted[^\w"]{0,4}"|^\[\[withheld: /i

const none = new Uint8Array()
const bytesOf = (text: string, encoding: 'utf8' | 'base64' = 'utf8'): Uint8Array =>
  Buffer.from(text, encoding)

/** Null where the recording left it out. */
function sentBody(asked: Members): Uint8Array | null {
  const posted = objectIn(asked, 'postData')
  const text = textIn(posted, 'text')
  if (text !== undefined)
    return hasRedacted.test(text)
      ? null
      : posted['encoding'] === 'base64' || posted['_encoding'] === 'base64'
        ? bytesOf(text, 'base64')
        : bytesOf(text)
  const read = membersSent(posted)
  if (read !== null) return bytesOf(JSON.stringify(read))
  return /^(?:GET|HEAD|DELETE|OPTIONS)$/i.test(textIn(asked, 'method') ?? '') || asked['bodySize'] === 0
    ? none
    : null
}

/**
 * Some recorders write a JSON object as a list of its members, with their values as they were. A name that stands
 * twice was a list there.
 */
function membersSent(posted: Members): Members | null {
  const { mimeType, params } = posted
  if (!Array.isArray(params) || !/^application\/json\b/i.test(String(mimeType))) return null
  const members = params.flatMap((one: unknown): [string, unknown][] =>
    isObject(one) && typeof one['name'] === 'string' ? [[one['name'], one['value']]] : [],
  )
  const isWhole =
    members.length === params.length && new Set(members.map(([name]) => name)).size === members.length
  return isWhole ? Object.fromEntries(members) : null
}

/** Null where the recording left it out. */
function receivedBody(answered: Members): Uint8Array | null {
  const content = objectIn(answered, 'content')
  const text = textIn(content, 'text')
  if (text === undefined || hasRedacted.test(text) || (text === '' && amountIn(content, 'size') > 0))
    return answered['status'] === 204 || answered['status'] === 304 ? none : null
  return bytesOf(text, content['encoding'] === 'base64' ? 'base64' : 'utf8')
}

const cut = (message: string): { kind: FailureKind; message: string } => ({ kind: 'cut', message })

/** What keeps it from being judged. A stream without its end may have been left by the client: no archive says so. */
function failureOf(
  entry: Members,
  status: number,
  body: Uint8Array | null,
  received: Uint8Array | null,
): Exchange['failure'] {
  const answered = objectIn(entry, 'response')
  const error = textIn(answered, '_error') ?? textIn(answered, '_failureText') ?? textIn(entry, '_error')
  if (status === 0 || error) return { kind: 'aborted', message: error ?? 'the recording has no response' }
  // Whether it was over before the next one was sent is what most rules rest on.
  const { time } = entry
  if (typeof time !== 'number' || time < 0) return cut('the recording does not say when it ended')
  if (body === null) return cut('the recording does not have the whole request body')
  if (received === null) return cut('the recording does not have the whole response body')
  const isStream = /event-stream/i.test(textIn(objectIn(answered, 'content'), 'mimeType') ?? '')
  if (isStream && !/"type"\s*:\s*"done"/.test(Buffer.from(received).toString('latin1')))
    return cut('the recording of the stream may end before the stream did')
  return null
}
