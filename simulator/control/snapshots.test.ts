/** Snapshots over the control routes, by way of their client. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createControlClient, type ControlledTenant } from '../control-client/index.ts'
import { createSimulator, type Simulator } from '../index.ts'
import { misfits } from '../testing/answer.testkit.ts'
import { postTurn } from '../testing/project.testkit.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator({ clock: { mode: 'frozen' }, limits: { snapshotBytes: 60_000 } })
})
afterAll(() => simulator.close())

const clientOf = ({ url }: Simulator) => createControlClient({ url })
const newTenant = (seed: string) => clientOf(simulator).createTenant({ seed, clock: { mode: 'frozen' } })

const turn = async (tenant: ControlledTenant, key: string): Promise<string> =>
  (await postTurn(tenant, key, { message: 'Hello.' })).text()

test('a document becomes a tenant of another simulator, with the same keys and ids', async () => {
  const original = await newTenant('moved')
  await turn(original, 'before')
  const snapshot = await original.snapshots.download()
  expect(misfits('Snapshot', snapshot)).toBe(null)
  await using other = await createSimulator({ vendor: 'acme', legacy: true })
  const copy = await clientOf(other).createTenant({ snapshot })
  expect(copy.keys).toEqual(original.keys)
  expect(await copy.snapshots.download()).toEqual(snapshot)
  expect(await turn(copy, 'after')).toBe(await turn(original, 'after'))
  await expect(clientOf(other).createTenant({ snapshot })).rejects.toThrow(/seed "moved" is there already/)
  expect(other.tenants).toHaveLength(2)
})

describe('refused', () => {
  test('while a state is entered', async () => {
    const tenant = await newTenant('states')
    const { leave } = await tenant.enterState('chat.paused')
    await expect(tenant.snapshots.save('a')).rejects.toThrow(
      /409: State `chat.paused` is entered.*DELETE …\/states\/chat.paused\/state-1/,
    )
    await leave()
    await tenant.snapshots.save('a')
  })

  test.for([
    ['another member beside it', { vendor: 'acme' }, {}, /400: `snapshot` and `vendor` cannot be combined/],
    ['an edited document', {}, { seed: 'edited' }, /400: The snapshot is damaged or was edited/],
    [
      'a document of another version',
      {},
      { format: 'touchstone-snapshot/2' },
      /400: .*touchstone-snapshot\/1/,
    ],
  ] as const)('%s', async ([, beside, change, words]) => {
    const document = await clientOf(simulator).tenant(simulator.tenant.id).snapshots.download()
    const snapshot = { ...document, ...change } as typeof document
    await expect(clientOf(simulator).createTenant({ ...beside, snapshot })).rejects.toThrow(words)
  })
})
