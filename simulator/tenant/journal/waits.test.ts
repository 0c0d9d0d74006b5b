import { type JournalEntry } from './entry.ts'
import { describe, expect, test } from 'vitest'
import type { EntryMatch } from './filter.ts'
import { createJournal, type Journal } from './journal.ts'

interface EntryFields {
  path?: string
  status?: number
  body?: string
  answer?: string
  headers?: JournalEntry['headers']
}

function addEntry(
  journal: Journal,
  { path = '/a', status = 200, body = '', answer = '', headers = [] }: EntryFields,
) {
  const entry = journal.add({ at: 0, method: 'POST', path, headers, body: Buffer.from(body) })
  entry.status = status
  entry.response.push({ at: 0, bytes: Buffer.from(answer) })
  return entry
}

const ended = (journal: Journal, fields: EntryFields = {}): void =>
  journal.end(addEntry(journal, fields), 'server')

const turn: EntryFields = {
  path: '/api/v1/chat/agent_1?x=1',
  status: 409,
  body: '{"message":"Hello","interaction":{"id":"i1","index":2},"tags":["a","b"]}',
  answer: '{"error":"REQUEST_IN_PROGRESS"}',
  headers: [['Idempotency-Key', 'order-1001']],
}

describe('an entry matches', () => {
  const cases: readonly (readonly [EntryMatch, boolean])[] = [
    [{}, true],
    [{ method: 'post' }, true],
    [{ method: 'GET' }, false],
    [{ path: '/api/v1' }, true],
    [{ path: '/v1' }, false],
    [{ path: /chat\/agent_\d/g }, true],
    [{ path: /chat$/ }, false],
    [{ status: 409, code: 'REQUEST_IN_PROGRESS' }, true],
    [{ code: 'OUTCOME_UNCERTAIN' }, false],
    [{ body: { message: 'Hello', interaction: { index: 2 } } }, true],
    [{ body: { interaction: { index: 3 } } }, false],
    [{ body: { tags: ['a', 'b'] } }, true],
    [{ body: { tags: ['a'] } }, false],
    [{ body: { missing: null } }, false],
    [{ headers: { 'idempotency-key': 'order-1001' } }, true],
    [{ headers: { 'idempotency-key': /^order-/ } }, true],
    [{ headers: { 'idempotency-key': 'order' } }, false],
    [{ after: 1 }, false],
    [({ path }) => path.includes('x=1'), true],
    [() => false, false],
  ]

  test.for(cases)('under %o: %s', ([match, meant]) => {
    const journal = createJournal()
    ended(journal, turn)
    expect(journal.entries(match)).toHaveLength(meant ? 1 : 0)
    // Twice: a global pattern keeps its lastIndex.
    expect(journal.entries(match)).toHaveLength(meant ? 1 : 0)
  })

  test('a body that is no JSON has no members', () => {
    const journal = createJournal()
    ended(journal, { body: 'hello' })
    expect(journal.entries({ body: { message: 'hello' } })).toEqual([])
  })
})

describe('a wait', () => {
  test('ends with the entries that match, in their order, once enough have ended', async () => {
    const journal = createJournal()
    const slow = addEntry(journal, {})
    const waited = journal.waitFor({ path: '/a' }, { count: 2 })
    ended(journal, { path: '/b' })
    ended(journal)
    journal.end(slow, 'client')
    expect((await waited).map(({ id, closedBy }) => [id, closedBy])).toEqual([
      [1, 'client'],
      [3, 'server'],
    ])
  })

  test('that times out lists the other entries, the nearest first, with keys redacted', async () => {
    const journal = createJournal()
    ended(journal, { path: '/other?key=sk-secret', status: 200 })
    ended(journal, turn)
    addEntry(journal, { ...turn, status: 200 })
    const match = { path: '/api', status: 200, body: { message: 'Hello' } }
    await expect(journal.waitFor(match, { count: 2, timeoutMs: 1 })).rejects.toThrow(
      [
        'Waited for 2 entries with path "/api", status 200, body {"message":"Hello"} for 1 ms, and none came. The nearest of 3:',
        '  #3 POST /api/v1/chat/agent_1?x=1 → 200, under way (has not ended)',
        '  #2 POST /api/v1/chat/agent_1?x=1 → 409 (another status)',
        '  #1 POST /other?key=[redacted] → 200 (another path, body)',
      ].join('\n'),
    )
  })
})

describe('expectNone', () => {
  const unwanted = { status: 429 }
  const before = { path: '/next' }

  test('resolves once the later entry has arrived', async () => {
    const journal = createJournal()
    ended(journal)
    const absent = journal.expectNone(unwanted, { before })
    ended(journal, { path: '/next' })
    ended(journal, { status: 429 })
    expect(await absent).toMatchObject({ path: '/next' })
  })

  test('rejects if the later entry never arrives, or the journal has evicted entries', async () => {
    const journal = createJournal(1)
    await expect(journal.expectNone(unwanted, { before, timeoutMs: 1 })).rejects.toThrow('none came')
    ended(journal)
    ended(journal, { path: '/next' })
    await expect(journal.expectNone(unwanted, { before })).rejects.toThrow('give a greater journalCapacity')
  })
})
