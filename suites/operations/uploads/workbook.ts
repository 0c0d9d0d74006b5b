/** A small workbook with text in its cells: the five required parts of the format in an uncompressed ZIP archive. */
import { crc32 } from 'node:zlib'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const workbookType = `${types}.sheet`

/** Cells have letters, digits and full stops only: nothing is escaped. */
export function workbook(rows: readonly (readonly string[])[]): Uint8Array {
  const cells = (row: readonly string[]): string =>
    row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const data = rows.map((row, i) => `<row r="${i + 1}">${cells(row)}</row>`).join('')
  return stored({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
  })
}

function relation(type: string, target: string): string {
  return `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/${type}" Target="${target}"/></Relationships>`
}

/** Each file with its local header, then the central directory and its position. */
function stored(files: Readonly<Record<string, string>>): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(declaration + text)
    const path = Buffer.from(name)
    const shared = sharedHeader(content, path)
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

/**
 * The common part of both headers of a file: version 2.0, no flags, method 0, 1 January 2026, checksum, sizes,
 * lengths.
 */
function sharedHeader(content: Buffer, path: Buffer): Buffer {
  const date = ((2026 - 1980) << 9) | (1 << 5) | 1
  return Buffer.concat([
    halves(20, 0, 0, 0, date),
    words(crc32(content), content.length, content.length),
    halves(path.length, 0),
  ])
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
