import { afterEach, expect, test } from 'vitest'
import type { Reporter } from 'vitest/node'
import { ConfigurationError } from '../config/configuration-error.ts'
import { TargetUnreachable } from '../runner/plan/unreachable.ts'
import { serviceDouble, type Double } from '../runner/service.testkit.ts'
import { runInVitest } from './embed.ts'
import type { EmbeddedEvent } from './embedded-task.ts'

let service: Double | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

const only = ['chat-response/plain-turn']

test('an embedded run runs the plan in a worker, reports events, and hands the whole run back', async () => {
  let asked = 0
  service = await serviceDouble(
    () => (asked++, { status: 200, body: { response: 'Hello', conversation_id: 'c1' } }),
  )
  const events: string[] = []
  const onEvent = ({ is }: EmbeddedEvent): void =>
    void events.push(`${is} after ${is === 'planned' ? asked : 'some'}`)
  const options = { seed: 1, only, version: '1.2.3', runId: 'run' }
  const { record, journal } = await runInVitest(service.target, options, { onEvent })
  expect(record.findings).toHaveLength(record.plan.checks.length)
  expect(record).toMatchObject({ tool: { version: '1.2.3' }, run: { id: 'run', lifecycle: 'finished' } })
  expect(record.findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(5)
  expect(journal.at(-1)?.request.body).toBeInstanceOf(Uint8Array)
  const exchanges = journal.map(() => 'exchange after some')
  expect(events).toEqual(['planned after 0', ...exchanges, 'scenario-run after some'])
})

test('an embedded run that is stopped comes to its end, and what was not run is not tested', async () => {
  service = await serviceDouble()
  const stopped = new AbortController()
  const { record } = await runInVitest(
    service.target,
    { seed: 1, only: ['chat-response/*'] },
    { signal: stopped.signal, onEvent: ({ is }) => is === 'exchange' && stopped.abort() },
  )
  expect(record.run.lifecycle).toBe('interrupted')
  expect(new Set(record.findings.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']))
  expect(record.findings.map(({ reason }) => reason)).toContain('interrupted')
})

test('an event that is refused ends an embedded run before it asks anything', async () => {
  let asked = 0
  service = await serviceDouble(() => (asked++, { status: 200, body: {} }))
  const onEvent = (): never => {
    throw new Error('the disk is full')
  }
  await expect(runInVitest(service.target, { seed: 1, only }, { onEvent })).rejects.toThrow(
    'the disk is full',
  )
  expect(asked).toBe(0)
})

test('a failed check is a finding and leaves the exit code of the process alone', async () => {
  service = await serviceDouble(() => ({ status: 200, body: { response: 1 } }))
  const { record } = await runInVitest(service.target, { seed: 1, only })
  expect(record).toMatchObject({ conformance: 'nonconformant', exitCode: 1 })
  expect(process.exitCode).toBeUndefined()
})

test('a key that the target repeats, or that is sent in another way, is in no message of a test', async () => {
  const secret = 'sk-main-4f9a8b7c6d5e'
  const reply = (key = '') => ({ status: 200, body: { response: 'Hello', conversation_id: key } })
  service = await serviceDouble(({ headers }) => reply(headers.authorization))
  const { target } = service
  const principals = target.principals.map((principal) => ({ ...principal, bearer: secret }))
  const messages: string[] = []
  const collect: Reporter = {
    onTestCaseResult: (test) =>
      void messages.push(...(test.result().errors ?? []).map(({ message }) => message)),
  }
  const patterns = ['auth/schemes', 'chat-response/plain-turn']
  await runInVitest({ ...target, principals }, { seed: 1, only: patterns }, { reporters: [collect] })
  expect(messages.join('')).toContain('[[key:main:')
  expect(messages.filter((message) => message.includes(secret))).toEqual([])
})

test('an embedded run is refused with the error of the engine', async () => {
  service = await serviceDouble(() => ({ status: 401, body: { error: 'UNAUTHORIZED' } }))
  const { target } = service
  const refusal = (patterns: readonly string[]): Promise<unknown> =>
    runInVitest(target, { seed: 1, only: patterns }).catch((thrown: unknown) => thrown)

  expect(await refusal(only)).toBeInstanceOf(ConfigurationError)
  expect(await refusal(['no-such-*'])).toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining('no-such-*'),
  })
  await service.close()
  service = undefined
  expect(await refusal(only)).toBeInstanceOf(TargetUnreachable)
})
