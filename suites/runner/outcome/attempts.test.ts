import { afterEach, describe, expect, it, test } from 'vitest'
import { status } from '../../assertions/answer.ts'
import { eachOf, ruleOver } from '../../rules/rule.ts'
import { scenario, type AnyScenario, type Scenario } from '../../scenario/scenario.ts'
import { runSuite, type RunOptions } from '../drivers/server.ts'
import { serviceDouble, type Double } from '../service.testkit.ts'
import { rejudge } from './rejudge.ts'

const one = (change: Partial<Scenario<'one'>> = {}): AnyScenario =>
  scenario<'one'>({
    title: 'a turn',
    exchanges: ['one'],
    cost: { requests: 1, turns: 1 },
    run: async (t) => void (await t.chat('one')),
    judge: { 'RES-JSON': ({ one: turn }) => status(turn, 200) },
    ...change,
  })
const quiet = one({ judge: { 'RES-JSON': () => ({ is: 'pass', rests: [1] }) } })
const rule = ruleOver('every turn is answered', {
  'RES-JSON': (all) =>
    eachOf(
      all.map((turn) => [turn] as const),
      'turn',
      (turn) => status(turn, 200),
    ),
})

let service: Double
afterEach(() => service.close())

/** `bad`: the numbers of the turns that are answered 400, from 1. */
async function run(
  bad: readonly number[],
  scenarios: Record<string, AnyScenario>,
  more: Partial<RunOptions>,
) {
  let turns = 0
  service = await serviceDouble((ask) =>
    isOfScenario(ask) && bad.includes(++turns) ? { status: 400, body: {} } : null,
  )
  const ran = await runSuite(service.target, { seed: 1, runId: 'run', scenarios, ...more })
  expect(rejudge(ran, scenarios, service.target).findings).toEqual(ran.record.findings)
  const shown = ran.record.findings.map(({ verdict, attempts }) =>
    attempts ? `${verdict} ${attempts.failed} of ${attempts.of}` : verdict,
  )
  const { exitCode } = ran.record
  return {
    shown: shown.join(', '),
    sent: turns,
    exitCode,
    keys: service.seen.filter(isOfScenario).map(keyOf),
  }
}
const isOfScenario = ({ headers }: Double['seen'][number]): boolean =>
  !String(headers['user-agent']).includes('preflight')
const keyOf = ({ body }: Double['seen'][number]): unknown => JSON.parse(body).idempotency_key

describe('what fails is run again, alone and with a fresh key', () => {
  const cases: readonly [
    string,
    number[],
    Partial<RunOptions>,
    Record<string, AnyScenario>,
    string,
    number,
  ][] = [
    ['it fails again', [1, 2], { retries: 1 }, { 'a/b': one() }, 'fail 2 of 2', 2],
    ['it passes then', [1], { retries: 1 }, { 'a/b': one() }, 'fail 1 of 2', 2],
    ['it may be run twice more', [1, 3], { retries: 2 }, { 'a/b': one() }, 'fail 2 of 3', 3],
    ['it was confirmed', [1, 2, 3], { retries: 2 }, { 'a/b': one() }, 'fail 2 of 2', 2],
    ['it may not', [1], {}, { 'a/b': one() }, 'fail', 1],
    ['it passed', [], { retries: 2 }, { 'a/b': one() }, 'pass', 1],
    [
      'its cost is beyond the limits',
      [1],
      { retries: 1 },
      { 'a/b': one({ cost: { requests: 499, turns: 1 } }) },
      'fail',
      1,
    ],
    [
      'by a rule that cites it',
      [1],
      { retries: 1 },
      { 'a/b': quiet, 'rules/r': rule },
      'pass, fail 1 of 2',
      2,
    ],
    [
      'by a rule, each time',
      [1, 2],
      { retries: 1 },
      { 'a/b': quiet, 'rules/r': rule },
      'pass, fail 2 of 2',
      2,
    ],
    [
      'by a rule, and elsewhere',
      [1, 3],
      { retries: 1 },
      { 'a/b': one(), 'c/d': quiet, 'rules/r': rule },
      'fail 1 of 2, pass, fail 2 of 2',
      3,
    ],
  ]
  it.each(cases)('%s', async (_, bad, more, scenarios, shown, sent) => {
    const ran = await run(bad, scenarios, more)

    expect(ran.shown).toBe(shown)
    expect(ran.sent).toBe(sent)
    expect(new Set(ran.keys).size).toBe(sent)
    expect(ran.exitCode).toBe(shown.includes('fail') ? 1 : 0)
  })
})

test('a second attempt that is cut off says nothing, live as when it is judged again', async () => {
  const ended = new AbortController()
  let begun = 0
  const ran = await run(
    [1, 2],
    { 'a/b': one(), 'c/d': one() },
    {
      retries: 2,
      signal: ended.signal,
      onProgress: ({ is }) => void (is === 'scenario' && ++begun === 2 && ended.abort()),
    },
  )

  expect(ran.shown).toBe('fail, not-exercised')
})

test('with --fail-fast, nothing is sent after the first failure that is not flaky', async () => {
  const scenarios = { 'a/b': one(), 'c/d': one(), 'e/f': one(), 'rules/r': rule }
  const ran = await run([1, 3, 4], scenarios, { retries: 1, failFast: true })

  expect(ran.shown).toBe('fail 1 of 2, fail 2 of 2, not-exercised, not-exercised')
  expect(ran.sent).toBe(4)
  expect(ran.exitCode).toBe(1)
})
