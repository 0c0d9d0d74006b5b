import { expect, it } from 'vitest'
import { joined, packed } from './chunks.ts'

const reads = ['one', '', 'two'].map((text, at) => ({ at, bytes: new TextEncoder().encode(text) }))

it('packed reads are joined without a copy, others with one', () => {
  const inOne = packed(reads)
  expect(inOne).toEqual(reads)
  for (const chunks of [
    reads,
    inOne,
    inOne.toReversed(),
    inOne.slice(1),
    [...reads.slice(0, 1), ...inOne.slice(2)],
    [],
  ])
    expect(String(joined(chunks))).toBe(chunks.map(({ bytes }) => Buffer.from(bytes)).join(''))
  expect([reads, inOne].map((chunks) => joined(chunks).buffer === inOne[0]?.bytes.buffer)).toEqual([
    false,
    true,
  ])
})
