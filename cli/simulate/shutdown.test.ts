import { expect, it } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { testIo } from '../process.testkit.ts'
import { shutDown } from './simulate.ts'

it('says what it broke off, and why', async () => {
  const simulator = await createSimulator()
  const { barriers, keys, agents } = simulator.tenant
  const barrier = barriers.hold({ at: 'before-run' })
  const answer = fetch(`${simulator.url}/api/v1/chat/${agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello', idempotency_key: 'k' }),
  }).then(
    () => 'came',
    () => 'broken off',
  )
  await barrier.reached()
  const io = testIo()
  await shutDown(simulator, 0, io)

  expect(io.printed.err).toBe('aborted 1 response, 1 turn after 0 s; increase --drain to wait longer.\n')
  expect(await answer).toBe('broken off')
})

it('says nothing where nothing is under way', async () => {
  const io = testIo()
  await shutDown(await createSimulator(), 10, io)

  expect(io.printed.err).toBe('')
})
