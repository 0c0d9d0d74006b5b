import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { workbook } from './workbook.ts'

test('a workbook is, byte for byte, the archive that another reader found in order', () => {
  const bytes = workbook([
    ['name', 'city'],
    ['Ida', 'Bern'],
  ])
  expect(Buffer.from(bytes.subarray(0, 2)).toString('latin1')).toBe('PK')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(verified)
})

/** Of bytes whose checksums the zipfile module of Python verified, and whose parts its XML parser read. */
const verified = 'e94051b38999831900c964ec9371f6aec1f94dfd59aa1070e655fdb1a8bef5c7'
