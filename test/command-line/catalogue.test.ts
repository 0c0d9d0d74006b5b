/** The catalogue that `service-client` was built with, and others. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../../client/catalogue/operations.ts'
import { newestRevision } from '../../spec/index.ts'
import { home, type, sent, typing } from './typed.ts'

typing()

describe('the embedded catalogue', () => {
  test('VER-EMBEDDED: is that of the newest contract, and --version reports it', async () => {
    const { code, out } = await type(['--version'], { env: {} })
    const { contract, operations } = embeddedCatalogue

    expect(code).toBe(0)
    expect(contract).toBe(newestRevision)
    expect(out).toMatch(/^\d+\.\d+\.\d+, contract 2026-11 with 23 operations\n$/)
    expect(Object.keys(operations)).toHaveLength(23)
  })

  test('VER-NEW-OPERATION: an operation that it does not have is refused here, with the advice to upgrade', async () => {
    for (const operation of ['notes.publish', 'constructor', '../notes.list']) {
      const { code, err } = await type(['execute', operation])
      expect({ code, sent: sent() }).toEqual({ code: 2, sent: [] })
      expect(err).toContain('install a newer service-client')
    }
  })

  test.each([
    ['is not there', null, /cannot be read \(ENOENT\)/],
    ['is no JSON', '{', /is no JSON/],
    ['is something else', '{"operations": []}', /is none: it takes/],
    ['has a row that is none', '{"contract": "x", "operations": {"a": {"title": "A"}}}', /is none: it takes/],
  ])('a file of one that %s is reported', async (_, text, words) => {
    const file = join(home, 'catalogue.json')
    if (text !== null) writeFileSync(file, text)
    const { code, err } = await type(['operations', '--catalogue', file])

    expect({ code, sent: sent() }).toEqual({ code: 2, sent: [] })
    expect(err).toMatch(words)
  })
})
