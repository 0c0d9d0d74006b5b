/** A file in two requests, each with a stable key of its own. */
import { bytesOf } from './bytes.ts'
import type { Dialect } from './dialect.ts'
import { InvalidCall, NoAnswer } from './errors.ts'
import { firstAt, isId } from './json.ts'
import { checkKey } from './named.ts'
import { receiptTo, type CallOptions, type Operating } from './operations.ts'
import type { Receipt } from './receipt.ts'
import type { Ask } from './transport.ts'

export interface Upload extends CallOptions {
  readonly fileName: string
  /** Such as `text/csv`. */
  readonly contentType: string
  readonly bytes: Uint8Array | ArrayBuffer
  /** Keep both keys: an upload that is tried again needs the same two. */
  readonly prepareKey: string
  readonly finalizeKey: string
}

type UploadKind = 'document' | 'spreadsheet'

const chunk = 0x8000

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += chunk)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)))
  return btoa(parts.join(''))
}

function check({ fileName, contentType, bytes, prepareKey, finalizeKey }: Upload): Uint8Array {
  checkKey('prepareKey', prepareKey)
  checkKey('finalizeKey', finalizeKey)
  if (prepareKey === finalizeKey)
    throw new InvalidCall(
      '`prepareKey` and `finalizeKey` are the same.',
      'Use one for each step, and keep both.',
    )
  if (typeof fileName !== 'string' || fileName === '')
    throw new InvalidCall('`fileName` is missing.', 'Give the name of the file, without a folder.')
  if (typeof contentType !== 'string' || contentType === '')
    throw new InvalidCall('`contentType` is missing.', 'Give one such as `application/pdf` or `text/csv`.')
  const given = bytesOf(bytes)
  if (given) return given
  throw new InvalidCall('`bytes` are no bytes.', 'Give a Uint8Array or an ArrayBuffer.')
}

/** The receipt of the second step, or of the first where that did not come to its end. */
export async function upload(
  { transport, dialect }: Operating,
  kind: UploadKind,
  file: Upload,
): Promise<Receipt> {
  const bytes = check(file)
  const { fileName, contentType, prepareKey, finalizeKey, signal } = file
  const { members, [kind]: routes, uploadId } = dialect.uploads
  const step = (path: string, idempotencyKey: string, body: object): Promise<Receipt> => {
    const ask: Ask = { method: 'POST', path, body: JSON.stringify(body), idempotencyKey, signal }
    return receiptTo(transport, ask, dialect)
  }
  const announced = {
    [members.fileName]: fileName,
    [members.contentType]: contentType,
    [members.size]: bytes.length,
  }
  const prepared = await step(routes.prepare, prepareKey, announced)
  if (prepared.status !== 'completed') return prepared
  const id = idOf(prepared, uploadId, dialect)
  return step(routes.finalize, finalizeKey, { [members.uploadId]: id, [members.bytes]: base64(bytes) })
}

function idOf({ body }: Receipt, pointers: readonly string[], { uploads }: Dialect): string | number {
  const id = firstAt(pointers, body, isId)
  if (id !== undefined) return id
  throw new NoAnswer(
    `The prepared upload has no id at any of ${JSON.stringify(uploads.uploadId)}.`,
    'Say in `dialect.uploads.uploadId` where the receipt has it; the same two keys go on with it.',
  )
}
