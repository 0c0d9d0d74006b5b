/** What another thread reads ahead of a run changes nothing of what is found in it. */
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBodyThread } from './bundle/body-thread/start.ts'
import { bodyTable, sharedBodies, type CheckedBody } from './bundle/body-thread/table.ts'
import type { BodyWork } from './bundle/body-thread/thread.ts'
import { openFolder } from './bundle/folder/folder.ts'
import { evidenceFolder } from './bundle/journal/evidence.ts'
import { journalIn } from './bundle/journal/reader.ts'
import { createJournalWriter, writeJournalOf } from './bundle/journal/writer.ts'
import { journalFile, planFile } from './bundle/names.ts'
import { redactorOf, type RunRedactor } from './bundle/redaction/run-redactor.ts'
import { sha256 } from './bundle/seal/digest.ts'
import { costOf } from './chart/credits.ts'
import { exchange, finding, runOf } from './testing/run.testkit.ts'

let root: string
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'touchstone-body-thread-'))))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const costly = `{"credits_used":2,"response":"${'x'.repeat(5_000)}"}`
const bodies = ['plain', costly, 'altered', 'gone', 'a folder', 'too large '.repeat(1 << 19), 'not named']

it('finds size and cost of each body that is as the journal names it, and nothing of any other', async () => {
  const digests = bodies.map(sha256)
  bodies.forEach((body, at) => writeFileSync(join(root, digests[at] ?? ''), body))
  const [, , altered = '', gone = '', folder = ''] = digests.map((digest) => join(root, digest))
  writeFileSync(altered, 'changed')
  for (const path of [gone, folder]) rmSync(path)
  mkdirSync(folder)
  const journal = join(root, 'lines')
  const line = (digest: string): string => JSON.stringify({ body: { evidence: digest, bytes: 1 } })
  const named = [...digests.slice(0, -1), 'x', sha256('of no file')]
  writeFileSync(journal, named.map((digest) => `${line(digest)}\n`).join(''))
  const shared = sharedBodies(digests)
  const workerData: BodyWork = { journal, folder: root, bodies: shared }
  const thread = new Worker(new URL('bundle/body-thread/thread.ts', import.meta.url), { workerData })
  await once(thread, 'exit')
  const found: readonly (CheckedBody | null)[] = digests.map(bodyTable(shared).take)
  expect(found).toEqual([
    { size: 5, cost: null },
    { size: costly.length, cost: 2 },
    null,
    null,
    null,
    null,
    null,
  ])
})

/** So many that a thread reads ahead. */
const many = 2_000
/** Without a scan for secrets, which takes seconds. */
const redactor: RunRedactor = { ...redactorOf([]), exchange: (one) => one, mustBeClean: () => undefined }

it('reads a long run as one thread alone does, and refuses the same', () => {
  const folder = openFolder(join(root, 'long'), [])
  const writer = createJournalWriter(folder, { dialect: {}, policy: {} }, redactor, () => folder.path)
  const exchanges = Array.from({ length: many }, (_, at) =>
    exchange(at + 1, { came: costly.replace('"x', `"${at} `) }),
  )
  writeJournalOf(runOf([finding()], {}, exchanges), writer)
  const { path } = folder
  const thread = startBodyThread(path)
  expect(thread).not.toBeNull()
  thread?.stop()
  const read = () => journalIn(path, readFileSync(join(path, planFile)))
  expect(read().exchanges.map(costOf)).toEqual(exchanges.map(() => 2))
  const digest = sha256(costly.replace('"x', `"${many - 1} `))
  const last = join(path, evidenceFolder, digest)
  expect(existsSync(last)).toBe(true)
  writeFileSync(last, 'changed')
  const place = `${join(path, journalFile)}, line ${many + 1}: evidence/${digest}`
  expect(read).toThrow(`${place} was altered: its content has another digest`)
  rmSync(last)
  writeFileSync(join(path, evidenceFolder, sha256('one more, so that there are as many')), '')
  expect(read).toThrow(`${place} cannot be read (ENOENT)`)
})
