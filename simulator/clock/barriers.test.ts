import { expect, test } from 'vitest'
import { Crashed, createBarriers } from './barriers.ts'

const turn = { agent: 'a', key: 'k' }

test('nothing stops a turn that no barrier matches', () => {
  const barriers = createBarriers()
  barriers.hold({ at: 'before-run', agent: 'b' })
  barriers.hold({ at: 'before-run', key: 'other' })
  barriers.hold({ at: 'after-token:2' })
  expect(barriers.pass('before-run', turn)).toBeUndefined()
  expect(barriers.pass('after-token:1', turn)).toBeUndefined()
})

test('a held turn goes on when it is released, and the barrier is gone', async () => {
  const barriers = createBarriers()
  const barrier = barriers.hold({ at: 'after-token:2', key: 'k' })
  const held = barriers.pass('after-token:2', turn)
  await barrier.reached()
  expect(barrier.waiting).toBe(1)
  barrier.release()
  await held
  expect(barriers.list()).toEqual([])
})

test('a held turn can be crashed', async () => {
  const barriers = createBarriers()
  const barrier = barriers.hold({ at: 'before-commit' })
  const held = barriers.pass('before-commit', turn)
  barrier.crash()
  await expect(held).rejects.toBeInstanceOf(Crashed)
})

test('a barrier for one turn lets the next one pass', async () => {
  const barriers = createBarriers()
  barriers.crash({ at: 'before-run', times: 1 })
  await expect(barriers.pass('before-run', turn)).rejects.toBeInstanceOf(Crashed)
  expect(barriers.pass('before-run', turn)).toBeUndefined()
})

test('one can wait for the second turn to come', async () => {
  const barriers = createBarriers()
  const barrier = barriers.hold({ at: 'before-run' })
  void barriers.pass('before-run', turn)
  let second = false
  const both = barrier.reached(2).then(() => (second = true))
  await Promise.resolve()
  expect(second).toBe(false)
  void barriers.pass('before-run', turn)
  await both
  expect(barrier.waiting).toBe(2)
})
