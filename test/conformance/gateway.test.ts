import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { bareTarget } from '../../suites/config/bare.ts'
import type { Target } from '../../suites/config/target.ts'
import type { Progress } from '../../suites/runner/run-driver.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { RunOptions } from '../../suites/index.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { defaultBudgets } from '../../suites/config/defaults.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { hurriedClock } from '../hurried-clock.ts'
import { openGateway } from './gateway.ts'

const page = (words: string): string =>
  `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`
const html = { 'content-type': 'text/html' }

const inItsPlace = [
  { status: 502, headers: html, body: page('502 Bad Gateway') },
  { status: 504, headers: html, body: page('504 Gateway Time-out') },
  { status: 502, body: '{"error":"BAD_GATEWAY"}' },
]

test.concurrent('a gateway that answers every tenth request itself breaks no clause', async () => {
  const record = await behind(
    (nth) => (nth % 10 === 0 ? (inItsPlace[(nth / 10) % 3] ?? null) : null),
    (baseUrl, simulator) => ({ ...simulatorTarget(simulator), baseUrl, profile: 'smoke' }),
    { clock: realClock() },
  )
  const broken = record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
  expect(broken.map(({ check, expected, got, detail }) => [check, expected, got, detail])).toEqual([])
  expect(record.findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(100)
  expect(record.exitCode).toBe(3)
})

const unavailable = { status: 503, body: '{"error":"UNAVAILABLE"}' }
const tooMany = {
  status: 429,
  body: '{"error":"RATE_LIMITED","retry_after_seconds":1,"limit":60,"remaining":0}',
}

test.concurrent.for([
  ['503 from its 6th request on', 6, unavailable, 'only 503'],
  ['503 from its 21st request on', 21, unavailable, 'only 503'],
  ['nothing from its 15th request on', 15, 'hang up', 'no response (other side closed (UND_ERR_SOCKET))'],
  ['429 from its 20th request on', 20, tooMany, 'only 429'],
] as const)('a bare target that answers %s is lost: exit code 4, soon', async ([, first, answer, words]) => {
  let requests = 0
  const record = await behind((nth) => ((requests = nth) < first ? null : answer))
  expect(record).toMatchObject({ exitCode: 4, run: { lifecycle: 'target-lost' }, gate: { passed: false } })
  expect(record.gate.because[0]).toMatch(
    /^the target stopped responding: from exchange \d+ on it sent .*; \d+ checks not tested for that$/,
  )
  expect(record.gate.because[0]).toContain(words)
  expect(requests).toBeLessThan(first + 50)
  expect(record.findings).toHaveLength(record.plan.checks.length)
})

test.concurrent('a bare target that dies in its last scenarios is lost: exit code 4', async () => {
  let all = 0
  await behind((nth) => ((all = nth), null))
  for (const lost of [1, 4, 16, 20]) {
    const record = await behind((nth) => (nth > all - lost ? 'hang up' : null))
    expect(record).toMatchObject({ exitCode: 4, run: { lifecycle: 'target-lost' } })
    expect(record.gate.because[0]).toMatch(/^the target stopped responding: from exchange \d+ on/)
  }
})

test.concurrent('a bare target that comes back has tested less than its plan: exit code 3', async () => {
  const only = ['idempotency-replay/*', 'idempotency-conflict/*']
  const record = await behind((nth) => (nth > 10 && nth < 14 ? unavailable : null), bare, { only })
  expect(record).toMatchObject({ exitCode: 3, run: { lifecycle: 'finished' } })
  expect(record.gate.because[0]).toMatch(
    /^\d+ required checks? without a result, because requests were lost \(`[^`]+` was answered 503.*\): /,
  )
})

const busyPage = { status: 429, headers: html, body: page('429 Too Many Requests') }

test.concurrent.for([
  ['429 as nginx to its first two requests', busyPage, 2, 3],
  ['nothing to its first request', 'hang up', 1, 0],
] as const)('a bare target that answers %s is the service', async ([, answer, first, exitCode]) => {
  const only = ['idempotency-replay/json/*']
  const record = await behind((nth) => (nth <= first ? answer : null), bare, { only })
  expect(record).toMatchObject({ exitCode, run: { lifecycle: 'finished' } })
})

const isProbe = (progress: Progress): boolean =>
  progress.is === 'exchange' && progress.exchange.name === 'probe of the target'

test.concurrent('a 429 that asks for no wait is given time before its target is lost', async () => {
  let busy = true
  const onProgress = (progress: Progress): void => {
    if (isProbe(progress)) busy = false
  }
  const record = await behind((nth) => (busy && nth > 10 ? busyPage : null), bare, { onProgress })
  expect(busy).toBe(false)
  expect(record).toMatchObject({ exitCode: 3, run: { lifecycle: 'finished' } })
})

test.concurrent('a run whose time is over while a lost target is probed has its record', async () => {
  const hurried = hurriedClock(5)
  let skipped = 0
  const clock: Clock = { ...hurried, now: () => hurried.now() + skipped }
  const onProgress = (progress: Progress): void => {
    if (skipped === 0 && isProbe(progress)) skipped = defaultBudgets.wallSeconds * 1_000 - hurried.now() - 500
  }
  const record = await behind((nth) => (nth > 10 ? 'hang up' : null), bare, { clock, onProgress })
  expect(record).toMatchObject({ exitCode: 3, run: { lifecycle: 'interrupted' } })
})

function bare(baseUrl: string, { tenant: { keys, agents } }: Simulator): Target {
  const target = bareTarget({ baseUrl, apiKey: keys.main, agent: agents.plain })
  return { ...target, profile: 'smoke', budgets: { ...target.budgets, requestsPerMinute: 1_000 } }
}

/** What a run on a simulator leaves where a gateway answers some requests itself. */
async function behind(
  own: Parameters<typeof openGateway>[1],
  targetOf: (baseUrl: string, simulator: Simulator) => Target = bare,
  options: Partial<RunOptions> = {},
): Promise<RunRecord> {
  const simulator = await createSimulator()
  const gateway = await openGateway(simulator.url, own)
  const clock = hurriedClock(10)
  const target = targetOf(gateway.url, simulator)
  const { record } = await runSuite(target, { seed: 1, clock, ...options })
  await gateway.close()
  await simulator.close()
  return record
}
