import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, runOf } from './testing/run.testkit.ts'
import { joined, packed, releasedBytes } from './bundle/chunks.ts'
import type { Exchange } from './bundle/exchange.ts'
import { redactorOf } from './bundle/redaction/run-redactor.ts'
import { createJournalWriter, openingIn } from './bundle/journal/writer.ts'

const secret = { name: 'key:main', value: 'sk-live-4f9a8b7c6d5e' }

/** A journal in a folder that may be moved, and its lines. */
function openJournal() {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-journal-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  let path = join(root, 'run')
  mkdirSync(join(path, 'evidence'), { recursive: true })
  const lines: string[] = []
  const place = {
    write: (file: string, content: string | Uint8Array) => writeFileSync(join(path, file), content),
    grow: () => ({ add: (line: string) => void lines.push(line), end: () => undefined }),
  }
  const writer = createJournalWriter(place, { dialect: {}, policy: {} }, redactorOf([secret]), () => path)
  const { record } = runOf([])
  writer.on({ is: 'planned', planned: { plan: record.plan }, opening: openingIn(record) })
  return {
    lines,
    evidence: () => readdirSync(join(path, 'evidence')),
    add: (one: Exchange): void => writer.on({ is: 'exchange', exchange: one }),
    move: () => renameSync(path, (path = join(root, 'moved'))),
  }
}

/** An exchange whose response was read in these parts. */
function received(...parts: readonly string[]): Exchange {
  const one = exchange(1, { came: '' })
  if (!one.response) throw new Error('an exchange of the test has no response')
  const chunks = packed(parts.map((part, at) => ({ at, bytes: Buffer.from(part) })))
  return { ...one, response: { ...one.response, chunks } }
}

test('a large body that was written as it is leaves memory, and is read back from where its folder is', () => {
  const journal = openJournal()
  const parts = ['x'.repeat(10_000), 'the end']
  const one = received(...parts)
  journal.add(one)
  const { chunks = [] } = one.response ?? {}
  expect(releasedBytes(chunks)).toBe(10_000)
  journal.move()
  expect(joined(chunks).toString()).toBe(parts.join(''))
  expect(structuredClone(one)).toEqual(received(...parts))
  expect(journal.evidence()).toHaveLength(1)
})

test.for([
  ['is small', 'x'.repeat(4_000)],
  ['contains a secret, of which its judges need every byte', `${'x'.repeat(10_000)} ${secret.value}`],
])('a body that %s stays in memory', ([, body = '']) => {
  const one = received(body)
  openJournal().add(one)
  expect(releasedBytes(one.response?.chunks)).toBe(0)
  expect(joined(one.response?.chunks).toString()).toBe(body)
})

test('an exchange whose line has more encoded in it than is looked into is withheld', () => {
  const journal = openJournal()
  let text = 'harmless'
  for (let level = 0; level < 6; level++) text = JSON.stringify({ text })
  journal.add(received(text))
  const [line = ''] = journal.lines.slice(-1)
  expect(line).toContain('too much is encoded in it to look for secrets')
  expect(line).not.toContain('harmless')
})
