import { expect, test } from 'vitest'
import { createByteLedger, type Meter } from './spending.ts'

const budgets = { responseBytes: 10_000, scenarioBytes: 25_000, runBytes: 50_000 }

/** A further read of a response, the name of whose scenario is its first letter. */
type Read = readonly [response: string, bytes: number, parts?: Parameters<Meter>[1]]

interface Case {
  name: string
  reads: readonly Read[]
  /** What the last read, and no other, is cut by. */
  cut?: string
  /** Why nothing more can be received in the scenario. */
  refused?: string
}

const responses = (count: number, bytes: number): readonly Read[] =>
  Array.from({ length: count }, (_, i) => [`a${i}`, bytes] as const)
const beside: readonly Read[] = [...responses(4, 5_000), ['b1', 9_999], ['b2', 9_999], ['c1', 9_999]]

const cases: readonly Case[] = [
  { name: 'as many as a response may have', reads: responses(1, 10_000), cut: 'responseBytes' },
  { name: 'a line more', reads: [...responses(1, 1), ['a0', 1, { lines: 8_001 }]], cut: '8000 lines' },
  { name: 'a value more', reads: [...responses(1, 1), ['a0', 1, { values: 100_001 }]], cut: '100000 values' },
  {
    name: 'as many as a scenario may receive',
    reads: responses(5, 5_000),
    cut: 'scenarioBytes',
    refused: 'scenarioBytes',
  },
  { name: 'as many as a run may receive', reads: beside, cut: 'runBytes', refused: 'runBytes' },
  {
    name: 'few bytes in many reads, each of which takes memory',
    reads: responses(249, 1),
    cut: 'runBytes',
    refused: 'runBytes',
  },
]

test.for(cases)('$name', ({ reads, cut, refused }) => {
  const ledger = createByteLedger(budgets)
  const meters = new Map(reads.map(([response]) => [response, ledger.meter(response.slice(0, 1))]))
  const results = reads.map(([response, bytes, parts]) => meters.get(response)?.(bytes, parts))
  const last = results.pop()
  expect(results.every((result) => result === null)).toBe(true)
  expect(last ?? 'none').toContain(cut ?? 'none')
  const [[response] = ['']] = reads.slice(-1)
  expect(ledger.refusal(response.slice(0, 1)) ?? 'none').toContain(refused ?? 'none')
})
