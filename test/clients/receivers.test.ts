/** The judge of receivers, held against two that are right, and what the kill matrix has no broken copy for. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { identifiersOf } from '../../spec/index.ts'
import { runReceiver, type ReceiverRunOptions } from '../../suites/runner/drivers/receiver.ts'
import type { Subject } from '../../suites/receivers/subject.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import { hurriedClock } from '../hurried-clock.ts'
import { patched, refusal, vendorPatch } from '../kill-matrix/broken-receivers.ts'
import { worstVerdicts } from '../kill-matrix/copies.ts'
import { endReceivers, startPatched, startReceiver } from '../kill-matrix/receiver-process.ts'

const examples = fileURLToPath(new URL('../../examples/receivers/', import.meta.url))
afterAll(endReceivers)

async function judged(subject: Subject, options: Partial<ReceiverRunOptions> = {}): Promise<RunRecord> {
  const { record } = await runReceiver(subject, { seed: 1, ...options })
  return record
}

const python = spawnSync('python3', ['--version']).status === 0

describe.concurrent('a receiver of the examples conforms:', () => {
  test.for([
    ['node-http.mjs', process.execPath],
    ['python_stdlib.py', 'python3'],
  ] as const)('%s', async ([file, program], { expect, skip }) => {
    skip(program === 'python3' && !python, 'there is no python3 here')
    const record = await judged(await startReceiver(program, join(examples, file)))
    expect([worstVerdicts(record), record.conformance, record.exitCode]).toEqual([{}, 'conformant', 0])
  })
})

test('a receiver that is still starting gets fresh deliveries until it is up', async () => {
  const id = "request.headers['x-service-delivery-id']"
  const starting = `if (early.push(${id}) < 4) return early[2] ? end(response, 503) : request.socket.destroy()`
  const stale = `if (early.indexOf(${id}) < 3) return end(response, 401)`
  const started = `const early = (globalThis.early ??= [])\n  ${starting}\n  ${stale}\n  ${refusal}`
  const subject = await startPatched('starting', [refusal, started])
  const record = await judged({ ...subject, ends: () => [] }, { only: ['receiver-genuine/*'] })
  expect([worstVerdicts(record), record.exitCode]).toEqual([{}, 0])
})

describe.concurrent('with deliveries of acme-corp,', () => {
  const ofAcme = { vendor: 'acme-corp', identifiers: identifiersOf('acme-corp') }

  test('a receiver of that vendor conforms', async ({ expect }) => {
    const subject = await startPatched('of-acme-corp', vendorPatch('acme-corp'))
    const record = await judged({ ...subject, ...ofAcme })
    expect([worstVerdicts(record), record.conformance, record.exitCode]).toEqual([{}, 'conformant', 0])
    expect(record.target).toMatchObject(ofAcme)
  })

  test('a receiver of another fails', async ({ expect }) => {
    const subject = await startPatched('of-service')
    const record = await judged({ ...subject, ...ofAcme }, { only: ['RECV-GENUINE'] })
    expect([worstVerdicts(record), record.exitCode]).toEqual([{ 'RECV-GENUINE': 'fail' }, 1])
  })
})

describe.concurrent('a receiver is found out that', () => {
  test('takes longer than ten seconds, here on a clock that is twenty times as fast', async ({ expect }) => {
    const real = realClock()
    const fast: Clock = {
      now: () => real.now() * 20,
      sleep: (ms, signal) => real.sleep(ms / 20, signal),
      wall: () => real.wall(),
    }
    const slow = 'await new Promise((resolve) => setTimeout(resolve, 1_200))'
    const subject = await startPatched('slow', [refusal, `${slow}\n  ${refusal}`])
    const only = ['RECV-QUICK']
    const late = await judged({ ...subject, answerTimeoutMs: 200_000 }, { clock: fast, only })
    expect(late.findings).toMatchObject([{ verdict: 'warn', got: expect.stringMatching(/^\d+\.\d s$/) }])
    const never = await judged({ ...subject, answerTimeoutMs: 11_000 }, { clock: fast, only })
    expect(never.findings).toMatchObject([
      { verdict: 'warn', got: expect.stringMatching(/^none in \d+\.\d s$/) },
    ])
  })
})

describe.concurrent('a receiver that answers after', () => {
  const factor = 100
  const only = ['receiver-genuine/*']
  const waiting = (ms: number): string => `await new Promise((resolve) => setTimeout(resolve, ${ms}))`

  test('more than fifteen seconds each time is never delivered to', async ({ expect }) => {
    const started = await startPatched('sixteen', [refusal, `${waiting(6_000)}\n  ${refusal}`])
    // What a connection takes is hurried, too: on a busy machine some tenths of a second.
    const subject = { ...started, answerTimeoutMs: 150_000 }
    const record = await judged(subject, { clock: hurriedClock(factor), only })
    expect(record.findings.find(({ verdict }) => verdict === 'fail')).toMatchObject({
      check: 'receiver-genuine/plain/RECV-GENUINE',
      expected: 'an answer within about ten seconds to one of 3 attempts',
    })
    expect(record.conformance).toBe('nonconformant')
  })

  test('more than fifteen seconds once is delivered to at the next attempt', async ({ expect }) => {
    const subject = await startPatched(
      'once',
      [refusal, `if (first++ === 1) ${waiting(600)}\n  ${refusal}`],
      ['const seen = new Map()', 'let first = 0\nconst seen = new Map()'],
    )
    const record = await judged(subject, { clock: hurriedClock(factor), only: ['receiver-genuine/plain'] })
    expect(worstVerdicts(record)).toEqual({ 'RECV-QUICK': 'warn' })
  })
})

describe.concurrent('what cannot be judged is no pass:', () => {
  test('with another secret nothing else is concluded', async ({ expect }) => {
    const subject = await startPatched('another-secret')
    const record = await judged({ ...subject, secret: 'whsec_another_one' })
    const { 'RECV-GENUINE': genuine, ...others } = worstVerdicts(record)
    expect(genuine).toBe('fail')
    expect(new Set(Object.values(others))).toEqual(new Set(['inconclusive']))
    expect(record.gate.because[0]).toContain('check that --secret is the secret')
    expect(record.used.requests).toBeLessThan(12)
  })

  test('without effects duplicates are not exercised, and it is partial', async ({ expect }) => {
    const subject = await startPatched('no-effects')
    const record = await judged({ ...subject, effects: null })
    expect(worstVerdicts(record)).toEqual({
      'RECV-CHANGED-BODY': 'not-exercised',
      'RECV-UNSIGNED': 'not-exercised',
      'RECV-DUPLICATE': 'not-exercised',
      'RECV-DUPLICATE-RACE': 'not-exercised',
    })
    expect([record.conformance, record.exitCode]).toEqual(['partial', 3])
  })

  const counted = 'String(effects.get(decodeURIComponent(pathname.slice(9))) ?? 0)'
  test('an effect that stays at zero', async ({ expect }) => {
    const subject = await startPatched('no-effect', [counted, "'0'"])
    const only = ['receiver-duplicates/forged']
    const { findings } = await judged({ ...subject, effectsWaitMs: 200 }, { only })
    expect(findings[0]?.detail).toMatch(/no effect in time .* effects of `changed` were not asked for$/)
  })

  test('a count that is that of all ids', async ({ expect }) => {
    const subject = await startPatched('effects-of-all', [counted, "'7'"])
    await expect(judged(subject)).rejects.toThrow('answered 7 in place of 0; return how often')
  })

  test('a connection that drops once, on a kept connection twice', async ({ expect }) => {
    const drops =
      'if (/Zoë/.test(body) && (seen.drops = (seen.drops ?? 0) + 1) < 3) return request.socket.destroy()'
    const subject = await startPatched('drops-once', [refusal, `${refusal}\n  ${drops}`])
    const record = await judged(subject, { only: ['receiver-genuine/text'] })
    expect(worstVerdicts(record)).toEqual({ 'RECV-GENUINE': 'inconclusive' })
  })
})

test('a patch whose place is gone is an error, and not a receiver that is right', () => {
  expect(() => patched([['no such place', '']])).toThrow(/stands 0 times/)
})
