import { expect, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { reportDropped } from './simulate.ts'

test('prints evictions at the end, and nothing without evictions', async () => {
  await using simulator = await createSimulator({
    journalCapacity: 2,
    retention: { keys: { most: 1, ageMs: Infinity }, conversations: { most: 2, ageMs: Infinity } },
  })
  const lines: string[] = []
  const io = { err: (text: string) => void lines.push(text) }
  reportDropped(simulator, io)()
  expect(lines).toEqual([])
  const { keys, agents } = simulator.tenant
  const last = reportDropped(simulator, io)
  for (const key of ['a', 'b', 'c', 'd'])
    await fetch(`${simulator.url}/api/v1/chat/${agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.main}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello', idempotency_key: key.repeat(8) }),
    })
  last()
  expect(lines).toEqual([
    'evicted by limits so far: 2 journal entries, 3 idempotency keys, 2 conversations\n',
  ])
})
