/** A complete upload with the steps that the target file declares. */
import { crc32 } from 'node:zlib'
import type { Driver } from '../../scenario/scenario.ts'
import type { Many } from '../../scenario/exchange-names.ts'
import { goesOn } from '../assertions/upload.ts'
import { receiptStatus } from '../assertions/receipt.ts'
import { isFinal, stateShown } from '../assertions/task.ts'
import type { UploadKind } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { pollUntil, pollIntervals } from '../tasks/polling.ts'
import { taskPath } from '../tasks/task-requests.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const workbookType = `${types}.sheet`

/** Cells have letters, digits and full stops only: nothing is escaped. */
function workbook(rows: readonly (readonly string[])[]): Uint8Array {
  const cells = (row: readonly string[]): string =>
    row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const data = rows.map((row, i) => `<row r="${i + 1}">${cells(row)}</row>`).join('')
  // Each file with its local header, then the central directory and its position.
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
  }
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(declaration + text)
    const path = Buffer.from(name)
    // The common part of both headers of a file: version 2.0, no flags, method 0, 1 January 2026, checksum, sizes,
    // lengths.
    const date = ((2026 - 1980) << 9) | (1 << 5) | 1
    const shared = Buffer.concat([
      halves(20, 0, 0, 0, date),
      words(crc32(content), content.length, content.length),
      halves(path.length, 0),
    ])
    const local = Buffer.concat([words(0x0403_4b50), shared, path, content])
    const rest = Buffer.concat([halves(0, 0, 0), words(0, offset)])
    directory.push(Buffer.concat([words(0x0201_4b50), halves(20), shared, rest, path]))
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const count = locals.length
  const end = [words(0x0605_4b50), halves(0, 0, count, count), words(listed.length, offset), halves(0)]
  return new Uint8Array(Buffer.concat([...locals, listed, ...end]))
}

function relation(type: string, target: string): string {
  return `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/${type}" Target="${target}"/></Relationships>`
}

function halves(...values: readonly number[]): Buffer {
  return little(values, 2)
}

function words(...values: readonly number[]): Buffer {
  return little(values, 4)
}

function little(values: readonly number[], bytes: number): Buffer {
  const written = Buffer.alloc(values.length * bytes)
  values.forEach((value, i) => written.writeUIntLE(value, i * bytes, bytes))
  return written
}

export interface File {
  fileName: string
  contentType: string
  bytes: Uint8Array
}

export interface Sending extends File {
  kind: UploadKind
  prepareKey: string
  finalizeKey: string
}

type Source = Pick<Driver, 'key' | 'text' | 'uuid'>

/** Files of which no two are equal. */
export const files = {
  text: (t) => file(t, 'txt', 'text/plain', `Opening hours\n\n${t.text(200)}\n`),
  csv: (t) => file(t, 'csv', 'text/csv', `name,city\r\nIda ${word(t)},Bern\r\nBo,Oslo\r\n`),
  workbook: (t) =>
    file(
      t,
      'xlsx',
      workbookType,
      workbook([
        ['name', 'city'],
        [`Ida ${word(t)}`, 'Bern'],
        ['Bo', 'Oslo'],
      ]),
    ),
} satisfies Readonly<Record<string, (t: Source) => File>>

function word({ uuid }: Source): string {
  return uuid().replaceAll('-', '')
}

function file(t: Source, ending: string, contentType: string, content: string | Uint8Array): File {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { fileName: `touchstone-${word(t).slice(0, 12)}.${ending}`, contentType, bytes }
}

export function sendingOf(t: Source, kind: UploadKind, one: File): Sending {
  return { kind, ...one, prepareKey: t.key(), finalizeKey: t.key() }
}

/** Its steps in order; the last is one that fails. A target with one step is as valid as one with two. */
export async function sendUpload<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  sending: Sending,
  as = 'self',
): Promise<Exchange> {
  const way = t.dialect.uploads?.[sending.kind]
  const isShort = way?.finalize !== undefined && way.prepare === undefined
  if (isShort) return finalize(t, name, sending, undefined, as)
  const prepared = await prepareUpload(t, name, sending, as)
  return goesOn(prepared) && way?.finalize ? finalize(t, name, sending, prepared, as) : prepared
}

export function prepareUpload<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  sending: Sending,
  as = 'self',
): Promise<Exchange> {
  const keys = { key: sending.prepareKey, otherKey: sending.finalizeKey }
  return t.uploadMore(name, { ...fileOf(sending), step: 'prepare', ...keys, as })
}

export function finalize<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  sending: Sending,
  prepared: Exchange | undefined,
  as = 'self',
): Promise<Exchange> {
  const before = prepared ? { prepared } : {}
  return t.uploadMore(name, {
    ...fileOf(sending),
    step: 'finalize',
    key: sending.finalizeKey,
    otherKey: sending.prepareKey,
    as,
    ...before,
  })
}

function fileOf({ kind, fileName, contentType, bytes }: Sending): File & Pick<Sending, 'kind'> {
  return { kind, fileName, contentType, bytes }
}

export async function storedOf<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  kind: UploadKind,
): Promise<number | null> {
  const way = t.dialect.uploads?.[kind]
  return way?.effect ? t.effectOf(name, way) : null
}

/** Reads the task of an upload to its end, if it has one. */
export async function readUploadTask<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  outcome: Exchange,
): Promise<void> {
  const id = receiptStatus(outcome) === 'accepted' ? t.taskOf(outcome) : null
  if (id === null) return
  await pollUntil(
    t,
    pollIntervals.long,
    () => t.readMore(name, taskPath(id)),
    (read) => isFinal(stateShown(read, t.dialect)),
  )
}
