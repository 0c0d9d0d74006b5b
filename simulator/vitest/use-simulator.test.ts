// oxlint-disable vitest/no-standalone-expect -- they stand in tests of useSimulator
import { describe, expect, expectTypeOf, test as plain, vi } from 'vitest'
import { type FaultId, type Tenant, requestBodyJson, withTenant } from '../index.ts'
import { postTurn } from '../testing/project.testkit.ts'
import { useSimulator } from './index.ts'

const { test, testWith, tenantOf } = useSimulator({
  seed: 'suite',
  clock: { mode: 'frozen' },
  interpretations: { 'GAP-IDENTICAL': 'conflict' },
})

const turn = (tenant: Tenant, message: string, key = message): Promise<Response> =>
  postTurn(tenant, key, { message })

const keys = new Set<string>()

describe('at the same time', () => {
  test.concurrent.for(['a', 'b', 'c'])('%s sees its own turns only', async (message, { tenant }) => {
    const barrier = tenant.barriers.hold({ at: 'before-run' })
    const answer = turn(tenant, message)
    await barrier.reached()
    barrier.release()
    expect((await answer).status).toBe(200)
    const entries = await tenant.journal.waitFor({ path: '/api/v1/chat' })
    expect(entries.map(requestBodyJson)).toEqual([{ message }])
    keys.add(tenant.keys.main)
  })

  test('and each has a key of its own, which is unknown afterwards', async ({ tenant }) => {
    expect(keys.size).toBe(3)
    const [key = ''] = keys
    const { url, agents } = tenant
    expect((await postTurn({ url, agents, keys: { main: key } }, 'k', { message: 'a' })).status).toBe(401)
  })
})

test('the options of the file hold, and the seed follows from the name of the test', ({ tenant }) => {
  expect(tenant.seed).toBe(
    'suite/the options of the file hold, and the seed follows from the name of the test',
  )
  expect(tenant.clock.setting).toEqual({ mode: 'frozen' })
  expect(tenant.interpretations['GAP-IDENTICAL']).toBe('conflict')
})

testWith({ seed: 'own', faults: ['replay-unmarked'], interpretations: { 'GAP-DEVELOPMENT': 'always' } })(
  'of a test are laid over those of the file',
  ({ tenant }) => {
    expect(tenant).toMatchObject({ seed: 'own', faults: ['replay-unmarked'] })
    expect(tenant.interpretations).toMatchObject({ 'GAP-IDENTICAL': 'conflict', 'GAP-DEVELOPMENT': 'always' })
  },
)

plain('can be given with the context of a test, once', async (context) => {
  const tenant = await tenantOf(context, { replyRules: [{ match: {}, reply: { text: 'Mine.' } }] })
  expect(await tenantOf(context)).toBe(tenant)
  expect(await (await turn(tenant, 'x')).text()).toContain('Mine.')
  await expect(tenantOf(context, { seed: 'late' })).rejects.toThrow('has its tenant already')
})

plain('are known to the compiler', () => {
  expectTypeOf<Parameters<typeof testWith>[0]['faults']>().toEqualTypeOf<readonly FaultId[] | undefined>()
  // @ts-expect-error -- no such fault
  const misspelt = () => testWith({ faults: ['replay-unmarkd'] })
  // @ts-expect-error -- no such variant
  const unknown = () => useSimulator({ variants: ['ascii'] })
  // @ts-expect-error -- no such gap
  const gap = () => useSimulator({ interpretations: { 'GAP-NONE': 'yes' } })
  // @ts-expect-error -- no such interpretation
  const interpretation = () => useSimulator({ interpretations: { 'GAP-IDENTICAL': 'maybe' } })
  // @ts-expect-error -- no such code
  const code = ({ journal }: Tenant) => journal.waitFor({ code: 'IN_PROGRESS' })
  expect([misspelt, unknown, gap, interpretation, code]).toHaveLength(5)
})

plain('a simulator from the environment has to be there', () => {
  vi.stubEnv('TOUCHSTONE_CONTROL_URL', '')
  expect(() => useSimulator({ from: 'environment' })).toThrow('TOUCHSTONE_CONTROL_URL is not set')
  vi.unstubAllEnvs()
})

describe('withTenant', () => {
  plain('gives what the work gives, and closes the simulator', async () => {
    const [url, status] = await withTenant(async (tenant) => [tenant.url, (await turn(tenant, 'x')).status], {
      faults: ['replay-unmarked'],
    })
    expect(status).toBe(200)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  plain('shows the journal without keys when the work fails', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const work = withTenant(async (tenant) => {
      await turn(tenant, `my key is ${tenant.keys.main}`)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    const [[text] = []] = logged.mock.calls
    logged.mockRestore()
    expect(text).toMatch(
      /#1 POST \/api\/v1\/chat\/agent_\w+ → 200\n {4}> \{"message":"my key is \[redacted\]"\}\n/,
    )
  })
})
