/** The body of a request that writes: a JSON object of a page of this origin. */
import type { IncomingMessage } from 'node:http'
import { isObject } from '../../../spec/json.ts'
import { RefusedRequest } from './refused-request.ts'

/** A target file is far smaller. */
const mostBytes = 1_000_000

/** Throws a RefusedRequest for what is not JSON, or larger than a megabyte. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  // A page of another origin cannot send this type without asking first.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new RefusedRequest(415, 'The body is JSON: send `Content-Type: application/json`.')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new RefusedRequest(413, `The body has more than ${mostBytes} bytes.`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    throw new RefusedRequest(400, 'The body is not JSON.')
  }
}

/** Throws a RefusedRequest for a body that is no object, or has no such member. */
export function bodyMember(body: unknown, name: string): unknown {
  if (isObject(body) && Object.hasOwn(body, name)) return (body as Record<string, unknown>)[name]
  throw new RefusedRequest(400, `The body has no \`${name}\`; spec/show.yaml lists its members.`)
}

/** Throws a RefusedRequest for a member that is no text. */
export function bodyText(body: unknown, name: string): string {
  const value = bodyMember(body, name)
  if (typeof value === 'string') return value
  throw new RefusedRequest(400, `\`${name}\` is not a text.`)
}
