/** A record with every member that there is: one that is added to the types and not here does not compile. */
import { identifiersOf } from '../../spec/identifiers.ts'
import type { Finding, RunRecord, ScenarioRun } from '../../bundle/record.ts'

/** With nothing optional, however deep. */
type Whole<T> = T extends readonly (infer U)[]
  ? readonly Whole<U>[]
  : T extends object
    ? { readonly [K in keyof T]-?: Whole<T[K]> }
    : T

const digest = (pair: string): string => pair.repeat(32)

const check = {
  check: 'idempotency-replay/json/IDEM-REPLAY-HEADER',
  subject: 'IDEM-REPLAY-HEADER',
  scenario: 'idempotency-replay/json',
} as const

const finding: Whole<Finding> = {
  ...check,
  area: 'idempotency',
  level: 'must',
  basis: 'stated',
  title: 'a completed key answers an identical request from the record',
  verdict: 'not-exercised',
  reason: 'opt-in-required',
  detail: 'it is slow',
  expected: 'a header',
  got: 'none',
  cited: [{ exchange: 1, as: 'first' }],
  fingerprint: '81ed05b62c2c',
  evidence: [1, 2],
  states: [{ state: 'credits.exhausted', by: 'control' }],
  waived: {
    as: 'known-failure',
    owner: 'team@example.com',
    reason: 'is being fixed',
    issue: 'https://issues.example/1',
    expires: '2026-12-31',
  },
  follows: 'idempotency-replay/json/IDEM-REPLAY-STATUS',
  provisional: true,
  attempts: { failed: 1, of: 2 },
  softened: true,
}

const scenario: Whole<ScenarioRun> = {
  scenario: check.scenario,
  since: 1,
  notes: { asked: 'a text', times: 2, streamed: true },
  ending: { is: 'not-exercised', reason: 'interrupted', because: 'the run ended' },
  crash: 'TypeError: x is not a function',
  states: [
    {
      state: 'credits.exhausted',
      by: 'control',
      mismatch: { because: 'a turn was answered', exchanges: [2], believed: false },
    },
  ],
  stuck: ['credits.exhausted: the control protocol refused'],
}

const clauseSet = (): Whole<RunRecord['contract']> => ({
  revision: '2027-03-draft.1',
  digest: digest('ef'),
  definition: {
    name: '2027-03-draft.1',
    base: '2026-11',
    remove: ['IDEM-KEY-ODD'],
    change: { 'RES-JSON': { level: 'should', text: 'A reply is JSON.' } },
    add: {
      'IDEM-KEY-KEPT': { level: 'must', text: 'A key is kept.', source: 'Limits', actor: 'server' },
    },
  },
})

export const whole: Whole<RunRecord> = {
  schemaVersion: 1,
  tool: { name: 'touchstone', version: '0.1.0', node: 'v24.0.0', suite: digest('ab') },
  run: {
    id: '1504d4b7-231d-48c4-9684-5a8f654ec091',
    seed: 1,
    profile: 'standard',
    only: ['IDEM-*'],
    optIn: ['writes'],
    startedAt: '2026-11-21T09:30:00.000Z',
    endedAt: '2026-11-21T09:30:10.125Z',
    lifecycle: 'finished',
    origin: {
      ci: 'GitHub Actions',
      job: 'release / conformance',
      url: 'https://ci.example/runs/1',
      commit: '5f3c1e2',
      branch: 'main',
      actor: 'octocat',
      host: 'runner-1',
      command: { start: 'npx touchstone', words: ['check', 'touchstone.yaml'], folder: 'touchstone-report' },
    },
  },
  target: {
    name: 'staging',
    kind: 'staging',
    baseUrl: 'https://staging.example',
    organization: 'Example',
    project: 'chat',
    version: '1.2.3',
    url: 'https://example.com',
    contact: ['team@example.com'],
    vendor: 'acme',
    identifiers: identifiersOf('acme'),
    fileDigest: digest('cd'),
    arguments: ['simulator'],
    requestIdHeader: 'X-Acme-Request',
    keys: { main: 'env:KEY' },
    modifications: ['--fault done-twice'],
    client: { as: 'library', can: ['chat', 'stream'] },
  },
  contract: clauseSet(),
  budgets: {
    requests: 3_000,
    turns: 100,
    credits: 50.5,
    wallSeconds: 900,
    requestsPerMinute: 60,
    responseBytes: 4_000_000,
    scenarioBytes: 16_000_000,
    runBytes: 64_000_000,
  },
  plan: {
    checks: [check],
    leftOut: [{ by: 'selection', checks: ['idempotency-replay/json/IDEM-REPLAY-STATUS'] }],
    digest: digest('12'),
    ceiling: { requests: 20, turns: 10 },
    shard: { number: 2, of: 4, plan: digest('78') },
  },
  findings: [finding],
  scenarioRuns: [scenario],
  used: { requests: 12, turns: 5, credits: 5.5, wallSeconds: 7.25 },
  conformance: 'partial',
  gate: {
    passed: false,
    because: ['a must is broken'],
    stalePolicy: ['an entry is past its day'],
    missing: ['idempotency-replay/json/IDEM-REPLAY-STATUS'],
  },
  exitCode: 1,
  uncovered: [{ clause: 'AUTH-KEY-ONCE', why: 'keys are made elsewhere' }],
  merged: {
    of: 4,
    shards: [
      {
        number: 1,
        run: 'run-1',
        startedAt: '2026-11-21T09:30:00.000Z',
        manifest: digest('9a'),
        used: { requests: 12, turns: 5, credits: 5.5, wallSeconds: 7.25 },
        keyid: digest('56'),
      },
    ],
  },
  journal: { lines: 14, head: digest('34') },
  redaction: { counts: { 'key:main': 12 }, disclosed: false },
  signing: { keyid: digest('56') },
}
