import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { journalLineOf } from '../journal/lines.ts'
import { createChainReader, type ReadChain } from './chain.ts'

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

const contents = [
  { is: 'run', opening: { schemaVersion: 1 } },
  { is: 'exchange', exchange: { id: 1, scenario: 'a/b', response: { chunks: [{ at: 1, body: 'Grüße' }] } } },
  {
    is: 'exchange',
    exchange: { id: 2, scenario: 'a/b', request: { body: { evidence: 'ab'.repeat(32), bytes: 5000 } } },
  },
  { is: 'scenario', scenarioRun: { scenario: 'a/b', notes: {} }, used: {} },
  { is: 'end', endedAt: '2026-11-01T12:00:07.250Z', lifecycle: 'finished', exchanges: 2 },
]

const lines: string[] = []
for (const content of contents)
  lines.push(JSON.stringify({ seq: lines.length, prev: sha256(lines.at(-1) ?? 'plan'), ...content }))

const bytesOf = (some: readonly string[]): Buffer => Buffer.from(some.map((line) => `${line}\n`).join(''))

function readChain(bytes: Buffer): ReadChain {
  const reader = createChainReader()
  const parts = bytes.toString('latin1').split('\n')
  for (const part of parts.slice(0, -1)) {
    reader.take(journalLineOf(Buffer.from(part, 'latin1')))
  }
  return reader.end(parts.at(-1)?.length ?? 0)
}

const whole = readChain(bytesOf(lines))

it('a journal as it was written has no problem, and gives what stands in it', () => {
  expect(whole).toMatchObject({ lines: 5, head: sha256(lines[4] ?? ''), torn: 0, problems: [] })
  expect(whole.opening).toEqual({ prev: sha256('plan'), opening: { schemaVersion: 1 } })
  expect([...whole.exchanges]).toMatchObject([
    [1, { scenario: 'a/b' }],
    [2, { scenario: 'a/b' }],
  ])
  expect([...whole.evidence]).toEqual([['ab'.repeat(32), 5000]])
})

/** Either the file does not hold in itself, or it does not end as the record says, or not begin as the plan does. */
const differs = (chain: ReadChain): boolean =>
  chain.problems.length > 0 ||
  chain.torn > 0 ||
  chain.lines !== whole.lines ||
  chain.head !== whole.head ||
  chain.opening?.prev !== whole.opening?.prev

it('no byte can be another without being noticed', () => {
  const bytes = bytesOf(lines)
  const unnoticed = [...bytes.keys()].filter((at) => {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    return !differs(readChain(altered))
  })
  expect(unnoticed).toEqual([])
})

it('a line may be of any kind, and is one more', () => {
  const line = JSON.stringify({ is: '__proto__', seq: 5, prev: whole.head })
  expect(readChain(bytesOf([...lines, line])).lines).toBe(6)
})

it.each([
  ['taken out', (at: number) => lines.toSpliced(at, 1)],
  ['a repeated line', (at: number) => lines.toSpliced(at, 0, lines[at] ?? '')],
  [
    'put before the one before it',
    (at: number) => lines.toSpliced((at + 4) % 5, 2, lines[at] ?? '', lines[(at + 4) % 5] ?? ''),
  ],
] as const)('no line can be %s', (_, alter) => {
  const unnoticed = lines.keys().filter((at) => !differs(readChain(bytesOf(alter(at)))))
  expect([...unnoticed]).toEqual([])
})

it('what comes after the end is named', () => {
  const more = JSON.stringify({ seq: 5, prev: whole.head, is: 'scenario', scenarioRun: {} })
  expect(readChain(bytesOf([...lines, more])).problems).toEqual(['line 5 is the end, and 1 more follow'])
})

it.each(['', '\n', 'null\n', '[]\n', '{"seq":"0"}\n', `${'['.repeat(100_000)}\n`])(
  '%.20j is read without a throw',
  (text) => {
    expect(readChain(Buffer.from(text)).opening).toBeNull()
  },
)
