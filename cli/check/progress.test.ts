import { describe, expect, it } from 'vitest'
import { finding } from '../../reports/testing/run.testkit.ts'
import type { Progress } from '../../suites/runner/run-driver.ts'
import { testIo } from '../process.testkit.ts'
import { createReporter } from './progress.ts'

const scenarios = Array.from({ length: 20 }, (_, at) => ({
  id: `idempotency/s${at + 1}`,
  scenario: { cost: { requests: 9, turns: 4 } },
  subjects: ['IDEM-REPLAY-HEADER'],
  outlook: at < 16 ? null : { is: 'not-applicable', because: 'not configured' },
}))
const plan = {
  is: 'planned',
  planned: { scenarios, plan: { ceiling: { requests: 144, turns: 64 } } },
  opening: {
    budgets: { requests: 3_000, wallSeconds: 1_800, requestsPerMinute: 60 },
    target: { kind: 'staging' },
  },
}
/** The plan of a run with other budgets, of another kind of target, or with other needs of its scenarios. */
function planWith({ budgets = {}, kind = 'staging', needs = {} }): Progress {
  const { planned, opening } = plan
  const withNeeds = planned.scenarios.map((one) => ({ ...one, scenario: { ...one.scenario, needs } }))
  return {
    ...plan,
    planned: { ...planned, scenarios: withNeeds },
    opening: { budgets: { ...opening.budgets, ...budgets }, target: { kind } },
  } as unknown as Progress
}
const planned = planWith({})
const scenario = (at: number): Progress => ({
  is: 'scenario',
  scenario: `idempotency/s${at}`,
  title: '',
  at,
  of: 20,
})
const found = (at: number, over = {}): Progress => ({
  is: 'finding',
  finding: finding({ scenario: `idempotency/s${at}`, ...over }),
})
const spent: Progress & { is: 'spent' } = {
  is: 'spent',
  used: { requests: 9, turns: 4, credits: 4, wallSeconds: 1 },
}

/** A reporter on a clock that the test moves. */
function reporter(live: boolean) {
  let now = 0
  const io = testIo({ live, now: () => now, width: 60 })
  return { io, at: (time: number) => (now = time), report: createReporter(io, false) }
}

describe('progress', () => {
  it.each([
    ['the requests of the run', { budgets: { requests: 50 } }, 'at most 50 requests (the limit of the run).'],
    ['the seconds of the run', { budgets: { wallSeconds: 18 } }, '144 requests, at most 18 s (the limit of'],
    [
      'what a key sends, without a session',
      { needs: { session: true } },
      '144 requests, at most about 2 min at',
    ],
  ])('announces no more than %s', (_, change, words) => {
    const { io, report } = reporter(false)
    report.on(planWith(change))
    expect(io.printed.err).toContain(words)
  })

  it('expects no more time than the plan takes at most', () => {
    const { io, at, report } = reporter(true)
    report.on(planned)
    report.on({ ...spent, used: { ...spent.used, requests: 1 } })
    report.on(found(1))
    at(25_000)
    report.on({ ...spent, used: { ...spent.used, requests: 1 } })
    expect(io.printed.err).toContain('about 3 min left')
  })

  it('prints each failure when it is found, and no waived one', () => {
    const { io, report } = reporter(true)
    const waived = { as: 'flaky', owner: 'ada', reason: 'known', expires: '2027-01-01' }
    report.on(planned)
    report.on(found(1, { verdict: 'fail', check: 'a/b/C', expected: 'none', got: 'one' }))
    report.on(found(2, { verdict: 'fail', check: 'a/b/D', waived }))
    report.on(found(3, { verdict: 'warn', check: 'a/b/E' }))

    expect(io.printed.err).toContain('✗ a/b/C: expected none, got one\n')
    expect(io.printed.err).not.toMatch(/a\/b\/[DE]/)
  })

  const waiting = { principal: 'main', ms: 40_200 }
  const wait = 'waiting 41 s: rate limit of key main; [0/20]'

  it.each([
    [200, `${wait} 1290 requests: idempotency/s7`],
    [74, `${wait} 1290 requests: idempotency/…`],
    [60, `${wait} 1290 requests`],
    [50, wait],
    [40, '[0/20]'],
  ])('begins with the wait, and leaves out the least important parts: %i columns', (width, line) => {
    let now = 0
    const io = testIo({ live: true, now: () => now, width })
    const report = createReporter(io, false)
    report.on(planned)
    report.on(scenario(7))
    now = 900
    report.on({ ...spent, used: { ...spent.used, requests: 1290 }, waiting })

    expect(io.printed.err.split('\r\u001b[K').at(-1)).toBe(line)
  })

  it.each(['CI', 'AI_AGENT'])('says nothing of how far it is where %s is set', (name) => {
    let now = 0
    const io = testIo({ live: false, now: () => now, env: { [name]: '1' } })
    const report = createReporter(io, false)
    report.on(planned)
    now = 90_000
    report.on(spent)
    expect(io.printed.err.trimEnd().split('\n')).toHaveLength(1)
  })
})
