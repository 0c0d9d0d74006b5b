/**
 * Documents as rows of a database. A text of a database holds neither U+0000 nor half a surrogate pair, and a key of
 * it only so many bytes; an id may be anything.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Document, TenantRow } from './store.ts'

/** As inside the quotes of JSON: different texts stay different, and nothing is lost. */
export const toText = (value: string): string => JSON.stringify(value).slice(1, -1)

/** Throws a SyntaxError on what `toText` did not write. */
export const fromText = (text: string): string => JSON.parse(`"${text}"`) as string

/** In UTF-16 code units; at three bytes each it fits into a page of an index twice. */
const mostOfKey = 500

/** Nothing that `toText` wrote has a bare quote. */
const digestMark = '"'

/** Key of a long id is its digest; the id stands before the body then, in a line of its own. */
export function rowKeyOf(id: string): string {
  const text = toText(id)
  if (text.length <= mostOfKey) return text
  return digestMark + createHash('sha256').update(text).digest('hex')
}

export interface DocumentRow {
  readonly kind: string
  readonly id: string
  readonly place: number
  readonly body: string
}

export function toRow({ kind, id, place, body }: Document): DocumentRow {
  const key = rowKeyOf(id)
  return { kind, id: key, place, body: key.startsWith(digestMark) ? `${toText(id)}\n${body}` : body }
}

export function fromRow({ kind, id, place, body }: DocumentRow): Document {
  if (!id.startsWith(digestMark)) return { kind, id: fromText(id), place, body }
  const end = body.indexOf('\n')
  return { kind, id: fromText(body.slice(0, end)), place, body: body.slice(end + 1) }
}

/** Of a whole row: a database notices a damage to its structure, and none to what it holds. */
export const checksumOf = (tenant: string, { kind, id, place, body }: DocumentRow): number =>
  crc32(`${tenant}\n${kind}\n${id}\n${place}\n${body}`)

/** The same of what never changes in the row of a tenant. */
export const tenantChecksumOf = ({ id, seed, options }: TenantRow): number =>
  crc32(`${id}\n${seed}\n${options}`)
