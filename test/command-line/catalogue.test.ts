/** The catalogue that `service-client` was built with, and others. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../../client/catalogue/operations.ts'
import { newestRevision } from '../../spec/index.ts'
import { home, environment, type, sent, typing } from './typed.ts'

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

  test('has the operations that discovery shows, with their titles, writes and what is destructive', async () => {
    const { out } = await type(['operations', '--json'], { env: environment('other') })
    const shown = JSON.parse(out) as { id: string; title: string; kind: string; destructive: boolean }[]

    expect(
      shown.map(({ id, title, kind, destructive }) => ({ id, title, write: kind === 'write', destructive })),
    ).toEqual(
      Object.entries(embeddedCatalogue.operations).map(([id, { title, write, destructive = false }]) => ({
        id,
        title,
        write,
        destructive,
      })),
    )
  })

  test('VER-NEW-OPERATION: an operation that it does not have is refused here, with the advice to upgrade', async () => {
    for (const operation of ['notes.publish', 'constructor', '../notes.list']) {
      const { code, err } = await type(['execute', operation])
      expect({ code, sent: sent() }).toEqual({ code: 2, sent: [] })
      expect(err).toContain('install a newer service-client')
    }
  })

  test('VER-NEW-OPERATION: a catalogue that is handed in says what is known, and is no permission', async () => {
    const file = join(home, 'catalogue.json')
    const operation = { title: 'Publish a note', write: true, input: {} }
    writeFileSync(file, JSON.stringify({ contract: '2031-01', operations: { 'notes.publish': operation } }))
    const other = ['--catalogue', file]

    const known = await type(['execute', 'notes.publish', ...other])
    expect({ code: known.code, sent: sent() }).toEqual({
      code: 1,
      sent: ['POST /api/v1/operation-executions/notes.publish'],
    })
    expect(known.err).toMatch(/^error: 404/)
    expect((await type(['execute', 'notes.list', ...other])).code).toBe(2)
    const listed = await type(['operations', ...other])
    expect(listed.out).toMatch(/^notes\.list +not in this package +List notes$/m)
    expect(listed.err).toBe('22 operations, 22 of them not in this package (contract 2031-01).\n')
    expect((await type(['whoami', ...other])).out).toMatch(/^agents +not known/m)
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
