/** What a run of any length keeps in memory: neither bodies nor the headers of requests. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, finding, runOf } from './testing/run.testkit.ts'
import { lengthOf } from './bundle/chunks.ts'
import { openFolder } from './bundle/folder/folder.ts'
import { journalFile, planFile } from './bundle/names.ts'
import type { Run } from './bundle/record.ts'
import { costOf } from './chart/credits.ts'
import { redactorOf } from './bundle/redaction/run-redactor.ts'
import { evidenceFolder } from './bundle/journal/evidence.ts'
import { eachLine } from './bundle/journal/lines.ts'
import { journalIn } from './bundle/journal/reader.ts'
import { createJournalWriter, writeJournalOf } from './bundle/journal/writer.ts'

let root: string
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'touchstone-deferred-'))))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const large = 'x'.repeat(5_000)
const costly = `{"credits_used":2,"response":"${large}"}`
const exchanges = () => [
  exchange(1),
  exchange(2, { came: costly }),
  exchange(3, { came: '{"credits_used":1}' }),
]

function written(name: string): { path: string; run: Run } {
  const folder = openFolder(join(root, name), [])
  const writer = createJournalWriter(folder, { dialect: {}, policy: {} }, redactorOf([]), () => folder.path)
  return { path: folder.path, run: writeJournalOf(runOf([finding()], {}, exchanges()), writer) }
}

const readAgain = (path: string): Run['journal'] =>
  journalIn(path, readFileSync(join(path, planFile))).exchanges

const cases = { written: ({ run }: ReturnType<typeof written>) => run.journal, read: null }

describe.each(Object.entries(cases))('a journal that was %s', (name, journalOf) => {
  const open = (place: string) => {
    const one = written(`${name}-${place}`)
    return { path: one.path, journal: journalOf ? journalOf(one) : readAgain(one.path) }
  }

  it('gives the exchanges as they were, in the members of a copy, too', () => {
    const { journal } = open('same')
    expect(journal).toEqual(exchanges())
    expect(journal.map((one) => ({ ...one, request: { ...one.request } }))).toEqual(exchanges())
    expect(structuredClone(journal)).toEqual(exchanges())
  })

  it('holds no body: it is read when it is asked for, and its length is known without', () => {
    const { path, journal } = open('bodies')
    rmSync(join(path, evidenceFolder), { recursive: true })
    const chunks = journal[1]?.response?.chunks ?? []
    expect(lengthOf(chunks)).toBe(costly.length)
    expect(() => chunks[0]?.bytes).toThrow(/evidence\/\w+ cannot be read \(ENOENT\)/)
  })

  it('knows what a response cost, in a line or in a file of its own, without its body', () => {
    const { path, journal } = open('costs')
    rmSync(join(path, evidenceFolder), { recursive: true })
    rmSync(join(path, journalFile))
    expect(journal.map(costOf)).toEqual([null, 2, 1])
  })

  it('holds no headers of requests, and refuses a line that was altered since', () => {
    const { path, journal } = open('lines')
    expect(journal.map(({ request }) => request.method)).toEqual(['POST', 'POST', 'POST'])
    const text = readFileSync(join(path, journalFile), 'utf8')
    writeFileSync(join(path, journalFile), text.replaceAll('application/json', 'application/JSON'))
    expect(() => journal[0]?.request.headers).toThrow(/is not as it was read before/)
    expect(() => journal[1]?.response?.chunks).toThrow(/is not as it was read before/)
  })
})

it('lines are found wherever a read ends, and what has no end is none', () => {
  const file = join(root, 'lines')
  const lengths = [0, 1, (1 << 20) - 2, 1 << 20, 3 << 20, 5]
  writeFileSync(file, '')
  for (const length of lengths) appendFileSync(file, `${'x'.repeat(length)}\n`)
  appendFileSync(file, 'torn')
  const found: number[] = []
  let from = 0
  const rest = eachLine(file, (line) => {
    expect(line.from).toBe(from)
    from += line.bytes.length + 1
    found.push(line.bytes.length)
  })
  expect({ found, rest }).toEqual({ found: lengths, rest: 4 })
})
