import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, runOf } from './testing/run.testkit.ts'
import { packed } from './bundle/chunks.ts'
import type { Exchange } from './bundle/exchange.ts'
import { redactorOf } from './bundle/redaction/run-redactor.ts'
import { createJournalWriter, openingIn } from './bundle/journal/writer.ts'
import { temporaryFolder } from '../spec/testing/machine.testkit.ts'

const secret = { name: 'key:main', value: 'sk-live-4f9a8b7c6d5e' }

/** A journal in a folder that may be moved, and its lines. */
function openJournal() {
  const root = temporaryFolder(onTestFinished)
  let path = join(root, 'run')
  mkdirSync(join(path, 'evidence'), { recursive: true })
  const lines: string[] = []
  const place = {
    write: (file: string, content: string | Uint8Array) => writeFileSync(join(path, file), content),
    grow: () => ({ add: (line: string) => void lines.push(line), end: () => undefined }),
  }
  const writer = createJournalWriter(place, { dialect: {}, policy: {} }, redactorOf([secret]))
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

test('an exchange whose line has more encoded in it than is looked into is withheld', () => {
  const journal = openJournal()
  let text = 'harmless'
  for (let level = 0; level < 6; level++) text = JSON.stringify({ text })
  journal.add(received(text))
  const [line = ''] = journal.lines.slice(-1)
  expect(line).toContain('too much is encoded in it to look for secrets')
  expect(line).not.toContain('harmless')
})
