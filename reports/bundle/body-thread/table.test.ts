import { expect, it, vi } from 'vitest'
import { sha256 } from '../seal/digest.ts'
import { bodyTable, sharedBodies } from './table.ts'

const digests = ['a', 'b', 'c', 'd'].map(sha256)
const [a = '', b = '', c = '', d = ''] = digests

it('gives the other thread what was found, and leaves to it what was not', () => {
  const bodies = sharedBodies(digests)
  const [ahead, reader] = [bodyTable(bodies), bodyTable(bodies)]
  ahead.fill(a, () => ({ size: 5_000, cost: null }))
  ahead.fill(b, () => ({ size: 0, cost: 0 }))
  ahead.fill(c, () => null)
  expect([a, b, c, d, sha256('e'), 'x'].map(reader.take)).toEqual([
    { size: 5_000, cost: null },
    { size: 0, cost: 0 },
    null,
    null,
    null,
    null,
  ])
})

it('has a body read by one thread, once', () => {
  const bodies = sharedBodies(digests)
  const [ahead, reader] = [bodyTable(bodies), bodyTable(bodies)]
  const check = vi.fn(() => ({ size: 1, cost: null }))
  for (const digest of [a, a, sha256('e'), 'x']) ahead.fill(digest, check)
  expect(reader.take(b)).toBeNull()
  ahead.fill(b, check)
  expect(check).toHaveBeenCalledOnce()
  expect(reader.take(b)).toBeNull()
})

it('does not wait without end for a thread that died at a body', () => {
  const bodies = sharedBodies(digests)
  const died = (): never => {
    throw new Error('out of memory')
  }
  expect(() => bodyTable(bodies).fill(a, died)).toThrow('out of memory')
  expect(bodyTable(bodies, 1).take(a)).toBeNull()
})
