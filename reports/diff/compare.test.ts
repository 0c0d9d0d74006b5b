import { describe, expect, it, test } from 'vitest'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import type { Finding, Run, RunRecord, Waiver } from '../../bundle/record.ts'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'
import { compare, type Comparison, type PolicedRun } from './compare.ts'

const pass = finding({ verdict: 'pass', scenario: 'one' })
const fail = finding({
  verdict: 'fail',
  scenario: 'one',
  expected: 'a',
  got: 'b',
  fingerprint: '0123456789ab',
})
const open = finding({ verdict: 'not-exercised', scenario: 'one', reason: 'interrupted', evidence: [] })
const waived: Waiver = { as: 'known-failure', owner: 'chat team', reason: 'known', expires: '2027-01-01' }

const between = (before: Finding, after: Finding): Comparison => compare(runOf([before]), runOf([after]))

describe('two runs that say the same', () => {
  it('differ in nothing, whatever their times, ids and durations are', () => {
    const one = runOf(everyVerdict())
    const { record } = runOf(
      everyVerdict().map((each) => ({ ...each, title: 'reworded', evidence: [...each.evidence, 99] })),
    )
    const run = { ...record.run, id: 'run-2', seed: 43, startedAt: '2026-12-01T12:00:00.000Z' }
    const other: Run = { record: { ...record, run, used: { ...record.used, wallSeconds: 99 } }, journal: [] }

    const { changes, unchanged, outcome, obstacle } = compare(one, other)
    expect(changes.map(({ kind }) => kind)).toEqual(['still failing', 'still failing'])
    expect({ unchanged, outcome, obstacle }).toEqual({ unchanged: 6, outcome: 'same', obstacle: null })
  })
})

test.for<[string, Comparison, Comparison['outcome']]>([
  ['what regressed', between(pass, fail), 'worse'],
  ['lost coverage', between(pass, open), 'less'],
  ['a regression that is waived', between(pass, { ...fail, waived }), 'same'],
  ['a regression of a provisional clause', between(pass, { ...fail, provisional: true }), 'same'],
  ['a regression of the older variant', between(pass, { ...fail, area: 'older-variant' }), 'same'],
  [
    'what got worse, before what was lost',
    compare(
      runOf([pass, finding({ verdict: 'pass', scenario: 'two' })]),
      runOf([open, finding({ verdict: 'fail', scenario: 'two' })]),
    ),
    'worse',
  ],
])('%s decides: %s', ([, comparison, outcome]) => {
  expect(comparison.outcome).toBe(outcome)
})

describe('a change', () => {
  const { replayHeader } = contractIdentifiers

  it('carries what both runs said, and nothing that belongs to one run alone', () => {
    const [change] = between(pass, fail).changes
    expect(change).toMatchObject({
      kind: 'regressed',
      check: fail.check,
      about: `A replay carries \`${replayHeader}: true\`. (States and transitions, Key completed)`,
      before: { verdict: 'pass' },
      after: { verdict: 'fail', expected: 'a', got: 'b', fingerprint: '0123456789ab' },
      marks: [],
    })
    expect(Object.keys({ ...change?.before, ...change?.after })).not.toContain('evidence')
  })

  test.for<[string, Finding, Finding, string, readonly string[]]>([
    ['a waiver that came', fail, { ...fail, waived }, 'still failing', ['waived now']],
    ['a waiver that went', { ...fail, waived }, fail, 'still failing', ['no longer waived']],
    ['a waiver of what is fixed', { ...fail, waived }, pass, 'fixed', []],
    [
      'a clause that is provisional now',
      pass,
      { ...pass, provisional: true },
      'standing changed',
      ['provisional now'],
    ],
    [
      'a clause that counts now',
      { ...fail, provisional: true },
      fail,
      'still failing',
      ['no longer provisional: it counts now'],
    ],
    ['another level', pass, { ...pass, level: 'should' }, 'standing changed', ['must before, should now']],
  ])('reports %s', ([, before, after, kind, marks]) => {
    expect(between(before, after).changes).toMatchObject([{ kind, marks }])
  })

  it('says where another seed may be all that there is to it', () => {
    const drew = (each: Finding, seed: number): Run => {
      const { record } = runOf([each])
      const scenarios = [
        {
          scenario: 'one',
          notes: { 'explored: runs': '9' },
          ending: null,
          crash: null,
          states: [],
          stuck: [],
        },
      ]
      return { record: { ...record, scenarioRuns: scenarios, run: { ...record.run, seed } }, journal: [] }
    }
    const marksWith = (...seeds: readonly [number, number]) =>
      compare(drew(pass, seeds[0]), drew(open, seeds[1])).changes[0]?.marks

    expect(marksWith(1, 2)).toEqual(['its steps are drawn, and the seed is another'])
    expect(marksWith(1, 1)).toEqual([])
    expect(compare(drew(fail, 1), drew(fail, 2)).changes[0]?.marks).toEqual([])
  })

  it('is lost coverage where the check was planned and has no verdict', () => {
    const { record } = runOf([pass])
    const changes = compare(runOf([pass]), { record: { ...record, findings: [] }, journal: [] }).changes
    expect(changes).toMatchObject([{ kind: 'coverage lost', after: { verdict: 'error' } }])
  })

  it('is lost coverage where a check is gone, unless the suite is known to have dropped it', () => {
    const other = finding({ verdict: 'pass', scenario: 'two' })
    const kindWith = (suite?: ReadonlySet<string>) =>
      compare(runOf([pass, other]), runOf([other]), suite ? { suite } : {}).changes[0]?.kind

    expect(kindWith()).toBe('coverage lost')
    expect(kindWith(new Set([pass.check, other.check]))).toBe('coverage lost')
    expect(kindWith(new Set([other.check]))).toBe('no longer planned')
  })
})

describe('what the two runs share', () => {
  const made = (over: Partial<RunRecord>): Run => runOf([pass], over)
  const { tool, target, run } = runOf([pass]).record
  const at = (baseUrl: string): Run => made({ target: { name: 'simulator', kind: 'simulator', baseUrl } })

  const policed = (at: string, check = 'a'): PolicedRun => ({
    ...made({}),
    policy: { flaky: [{ check, at }] },
  })
  it.for<[PolicedRun, PolicedRun, before: string | undefined]>([
    [policed('a:1'), policed('b:2'), undefined],
    [made({}), policed('a:1'), 'none'],
    [policed('a:1', 'b'), policed('a:1'), expect.stringMatching(/^1 entry, \w{16}$/) as string],
  ])('says which policy decided, wherever it is written: %#', ([one, other, before]) => {
    const found = compare(one, other).comparable.find(({ what, same }) => what === 'policy' && !same)
    expect(found?.before).toEqual(before)
  })

  test.for<[what: string, over: Partial<RunRecord>, means: RegExp]>([
    ['version', { tool: { ...tool, version: '0.2.0' } }, /may come from us.*touchstone verify --rejudge/],
    ['target', { target: { ...target, name: 'other' } }, /different targets/],
    ['profile', { run: { ...run, profile: 'smoke' } }, /part of the suite/],
  ])('another %s is said with both values and what it means', ([what, over, means]) => {
    const { comparable, obstacle } = compare(made({}), made(over))
    const [found, ...others] = comparable.filter(({ same }) => !same)
    expect(others).toEqual([])
    expect(found).toMatchObject({ what, means: expect.stringMatching(means) })
    expect(found?.before).not.toBe(found?.after)
    expect(obstacle).toBeNull()
  })

  it('does not hang on the port of a simulator', () => {
    const { comparable } = compare(at('http://127.0.0.1:1'), at('http://127.0.0.1:2'))
    expect(comparable.every(({ same, means }) => same && means === undefined)).toBe(true)
  })
})

const receiver = runOf([pass], { target: { name: 'hooks', kind: 'receiver', baseUrl: 'http://x' } })
test.for<[string, Comparison, string]>([
  [
    'of two kinds',
    compare(receiver, runOf([pass])),
    'the earlier run judged a webhook receiver, the later one a',
  ],
  [
    'without a common check',
    compare(runOf([pass]), runOf([finding({ scenario: 'two' })])),
    'no check in common',
  ],
  ['in which nothing was judged', compare(runOf([open]), runOf([open])), 'neither run judged anything'],
])('two runs %s cannot be compared', ([, { obstacle }, words]) => {
  expect(obstacle).toContain(words)
})

test('a run that is not whole is called so, by its record or by where its journal ends', () => {
  const early = runOf([open], { run: { ...runOf([]).record.run, lifecycle: 'interrupted' } })
  expect(compare(runOf([pass]), early).after.ends).toBe('it was interrupted')
  const ends = { before: 'after exchange 7', after: null }
  const { before, after } = compare(runOf([pass]), runOf([pass]), { ends })
  expect([before.ends, after.ends]).toEqual(['after exchange 7', null])
})
