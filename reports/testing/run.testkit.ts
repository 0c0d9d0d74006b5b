/** Hand-made records for tests: every verdict once, and exchanges that carry whatever a test wants. */
import type { Exchange, Finding, Run, RunRecord } from '../../bundle/record.ts'
import { exchange, findingOf } from '../../bundle/testing/finding.testkit.ts'

export { exchange }

/** A finding about the replay header; its check id is unique by verdict. */
export function finding(over: Partial<Finding> = {}): Finding {
  const { verdict = 'pass', subject = 'IDEM-REPLAY-HEADER', scenario = `replay-${verdict}` } = over
  const title = 'a completed key answers an identical request from the record'
  const about = { check: `idempotency/${scenario}/${subject}`, area: 'idempotency', level: 'must' } as const
  return findingOf({ subject, scenario, title, ...about, ...over })
}

/** One finding of each verdict. */
export function everyVerdict(): Finding[] {
  return [
    finding({ verdict: 'pass' }),
    finding({ verdict: 'fail', expected: 'header x-service-idempotent-replay: true', got: 'no such header' }),
    finding({ verdict: 'warn', level: 'should', expected: 'a 4xx', got: '500' }),
    finding({ verdict: 'error', detail: 'the judge threw TypeError: x is not a function' }),
    finding({ verdict: 'inconclusive', detail: 'no two requests overlapped' }),
    finding({ verdict: 'not-exercised', reason: 'opt-in-required', detail: 'slow', evidence: [] }),
    finding({ verdict: 'not-applicable', detail: 'no presentation was sent', evidence: [] }),
    finding({
      verdict: 'observed',
      subject: 'GAP-CREDIT-COST',
      level: 'silent',
      basis: 'silent',
      detail: 'one credit a turn',
    }),
  ]
}

/** A run over findings, all of which were planned; `over` replaces members of its record. */
export function runOf(
  findings: readonly Finding[],
  over: Partial<RunRecord> = {},
  journal: readonly Exchange[] = [exchange(1)],
): Run {
  const checks = findings.map(({ check, subject, scenario }) => ({ check, subject, scenario }))
  const record: RunRecord = {
    schemaVersion: 1,
    tool: { name: 'touchstone', version: '0.1.0', node: 'v24.21.0', suite: 'ef'.repeat(32) },
    run: {
      id: 'run-1',
      seed: 42,
      profile: 'standard',
      only: [],
      optIn: [],
      startedAt: '2026-11-01T12:00:00.000Z',
      endedAt: '2026-11-01T12:00:07.250Z',
      lifecycle: 'finished',
    },
    target: { name: 'staging', kind: 'staging', baseUrl: 'https://staging.example' },
    contract: { revision: '2026-11', digest: 'cd'.repeat(32) },
    budgets: { requests: 3_000, turns: 1_000, credits: 1_000, wallSeconds: 900, requestsPerMinute: 60 },
    plan: { checks, leftOut: [], digest: 'ab'.repeat(32), ceiling: { requests: 20, turns: 10 } },
    findings,
    scenarioRuns: [],
    used: { requests: 12, turns: 5, credits: 5, wallSeconds: 9.5 },
    conformance: 'nonconformant',
    gate: { passed: false, because: ['1 must is broken'], stalePolicy: [] },
    exitCode: 1,
    uncovered: [{ clause: 'IDEM-KEY-ODD', why: 'no scenario yet' }],
    ...over,
  }
  return { record, journal }
}
