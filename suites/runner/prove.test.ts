import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StateId } from '../../spec/index.ts'
import type { Provision } from '../config/provided.ts'
import { prove } from './prove.ts'
import { serviceDouble, type Double } from './service.testkit.ts'

let service: Double
beforeEach(async () => {
  service = await serviceDouble(({ path }) =>
    path.endsWith('/agent-none') ? { status: 403, body: { error: 'no' } } : null,
  )
})
afterEach(() => service.close())

const fixture = (agent: string): Provision => ({ provide: 'fixture', agent })
const cases: readonly (readonly [StateId, Provision, object, number])[] = [
  ['plan.disallows', fixture('agent-none'), { by: 'fixture', is: 'holds', because: '' }, 1],
  [
    'plan.disallows',
    fixture('agent-plain'),
    {
      is: 'refuted',
      because:
        'the target file declares plan.disallows by a fixture, but every request was answered 200; fix that, or the target if it is in that state all the same',
    },
    1,
  ],
  [
    'chat.paused',
    fixture('agent-plain'),
    {
      is: 'refuted',
      because:
        'the target file declares chat.paused by a fixture, but a plain message got a reply that is not marked as paused',
    },
    1,
  ],
  ['turn.slow', { provide: 'wire' }, { is: 'holds' }, 0],
  ['key.uncertain', { provide: 'control' }, { is: 'cannot', because: 'only a scenario shows it' }, 0],
  ['server.500', { provide: 'none', why: 'not ours' }, { is: 'cannot', because: 'server.500: not ours' }, 0],
  [
    'server.500',
    { provide: 'control' },
    {
      is: 'cannot',
      because: 'server.500 (The next request runs into a server error.): the target declares no `control`',
    },
    0,
  ],
]

test.for(cases)('%s is looked at with one request at most', async ([state, provision, proof, requests]) => {
  const target = { ...service.target, states: { [state]: provision } }
  expect(await prove(state, target, { seed: 1 })).toMatchObject({ state, ...proof })
  expect(service.seen).toHaveLength(requests)
})
