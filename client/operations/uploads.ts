/** A file in two requests, each with a stable key of its own, or in one that carries both. */
import { bytesOf } from '../http/bytes.ts'
import { InvalidCall, UnknownShape } from '../errors.ts'
import type { UploadStep } from '../options/dialect.ts'
import { firstAt, isId, isObject } from '../json.ts'
import { checkKey } from '../http/named.ts'
import { receiptTo, type CallOptions, type Operating } from './operations.ts'
import { receiptFrom, type Receipt } from './receipt.ts'
import { isSuccess } from '../http/transport.ts'
import { uploadRequestOf } from './upload-step.ts'

export interface Upload extends CallOptions {
  readonly fileName: string
  /** Such as `text/csv`. */
  readonly contentType: string
  readonly bytes: Uint8Array | ArrayBuffer
  /** Keep both keys: an upload that is tried again needs the same two. */
  readonly prepareKey: string
  readonly finalizeKey: string
}

function check({ fileName, contentType, bytes, prepareKey, finalizeKey }: Upload): Uint8Array<ArrayBuffer> {
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
  if (given) return Uint8Array.from(given)
  throw new InvalidCall('`bytes` are no bytes.', 'Give a Uint8Array or an ArrayBuffer.')
}

/** The receipt of the last step, or of the first where that did not come to its end. */
export async function uploadFile(
  { transport, dialect }: Operating,
  kind: 'document' | 'spreadsheet',
  file: Upload,
): Promise<Receipt> {
  const bytes = check(file)
  const { prepareKey, finalizeKey, signal } = file
  const { prepare, finalize } = dialect.uploads[kind]
  const keys = { key: finalizeKey, otherKey: prepareKey }
  if (!prepare) return receiptTo(transport, uploadRequestOf(finalize, { ...file, ...keys, bytes }), dialect)

  const first = uploadRequestOf(prepare, { ...file, bytes, key: prepareKey, otherKey: finalizeKey })
  const answer = await transport.ask(first)
  const id = firstAt([prepare.id ?? idPointers].flat(), answer.body, isId)
  // Some answer the first step with no receipt, as nothing is done yet: with an id they say all that is needed.
  const isPlain = isSuccess(answer) && id !== undefined && !hasStatus(answer.body)
  const prepared = isPlain ? null : receiptFrom(answer, dialect)
  if (prepared && prepared.status !== 'completed') return prepared
  if (id === undefined && needsId(finalize)) throw withoutId(kind, prepare.id ?? idPointers)
  return receiptTo(transport, uploadRequestOf(finalize, { ...file, ...keys, bytes, id, signal }), dialect)
}

const idPointers = ['/data/uploadId', '/data/upload_id', '/data/id']

const hasStatus = (body: unknown): boolean => isObject(body) && body['status'] !== undefined

const needsId = ({ path, uploadId }: UploadStep): boolean =>
  uploadId !== undefined || path.includes('{uploadId}')

const withoutId = (kind: string, pointers: string | readonly string[]): UnknownShape =>
  new UnknownShape(
    `The prepared upload has no id at any of ${JSON.stringify([pointers].flat())}.`,
    `Say in \`dialect.uploads.${kind}.prepare.id\` where the response has it; the same two keys go on with it.`,
  )
