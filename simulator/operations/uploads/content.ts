/** Which files are taken: by their content type, and by how their bytes begin. */
import type { FileFacts, KnowledgeKind } from '../account-data.ts'
import { isUtf8 } from 'node:buffer'

const startsWith =
  (...signature: readonly number[]) =>
  (bytes: Uint8Array): boolean =>
    signature.every((byte, index) => bytes[index] === byte)

const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0)
const isZip = startsWith(0x50, 0x4b, 0x03, 0x04)
const isPdf = startsWith(0x25, 0x50, 0x44, 0x46, 0x2d)
/** The container of Excel and Word files before 2007. */
const isCompoundFile = startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

const openXml = 'application/vnd.openxmlformats-officedocument'

/** Recognizes bytes by content type. */
export type FileKinds = Readonly<Record<string, (bytes: Uint8Array) => boolean>>

export const fileKinds: Readonly<Record<KnowledgeKind, FileKinds>> = {
  document: {
    'application/pdf': isPdf,
    'text/plain': isText,
    'text/markdown': isText,
    'text/html': isText,
    [`${openXml}.wordprocessingml.document`]: isZip,
    'application/msword': isCompoundFile,
  },
  spreadsheet: {
    'text/csv': isText,
    [`${openXml}.spreadsheetml.sheet`]: isZip,
    'application/vnd.ms-excel': isCompoundFile,
  },
}

function recognizerOf(
  kind: KnowledgeKind,
  contentType: string,
): ((bytes: Uint8Array) => boolean) | undefined {
  const kinds = fileKinds[kind]
  const name = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

export function fileProblem(
  kind: KnowledgeKind,
  { contentType, size }: FileFacts,
  limit: number,
): string | null {
  if (size > limit) return `The file has ${size} bytes; at most ${limit} are taken.`
  if (recognizerOf(kind, contentType)) return null
  const taken = Object.keys(fileKinds[kind]).join(', ')
  return `A ${kind} of content type ${JSON.stringify(contentType.slice(0, 80))} is not taken; send one of ${taken}.`
}

export function bytesProblem(
  kind: KnowledgeKind,
  { contentType, size }: FileFacts,
  bytes: Uint8Array,
): string | null {
  if (bytes.length !== size)
    return `${bytes.length} bytes came, ${size} were announced; prepare the upload with their number.`
  return recognizerOf(kind, contentType)?.(bytes)
    ? null
    : `The bytes are not ${contentType}; announce the content type that they have.`
}

/** Null where the text is not base64 as it is spelled with padding. */
export function fromBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
