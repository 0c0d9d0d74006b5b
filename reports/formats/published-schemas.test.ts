import { describe, expect, test } from 'vitest'
import { areas, bases, levels } from '../../spec/index.ts'
import type { Profile, Run, RunRecord, Verdict } from '../../bundle/record.ts'
import { compare } from '../diff/compare.ts'
import { changeKinds } from '../diff/kinds.ts'
import { reasons } from '../verdicts/reasons.ts'
import { everyVerdict, runOf } from '../testing/run.testkit.ts'
import { conformanceWords, verdictOrder } from '../verdicts/verdicts.ts'
import changesSchema from '../../bundle/schema/changes.schema.json' with { type: 'json' }
import {
  changesProblem,
  journalLineProblem,
  judgingProblem,
  manifestProblem,
  planProblem,
  runProblem,
} from '../../bundle/schema/problem.ts'
import clauseSet from '../../bundle/schema/clause-set.schema.json' with { type: 'json' }
import schema from '../../bundle/schema/run.schema.json' with { type: 'json' }
import { whole } from '../testing/whole.testkit.ts'

type Node = Readonly<Record<string, unknown>>
type Place = readonly (string | number)[]

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

/** Every place in a value; of a list only its first entry. */
function placesIn(value: unknown, at: Place = []): readonly Place[] {
  const inner = Array.isArray(value)
    ? placesIn(value[0], [...at, 0])
    : isNode(value)
      ? Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]))
      : []
  return at.length === 0 ? inner : [at, ...inner]
}

const pointer = (place: Place): string => place.map((part) => `/${part}`).join('')
const places = placesIn(whole)
const at = (place: Place): unknown =>
  place.reduce<unknown>((value, part) => Object(value)[part] as unknown, whole)

/** The record with something else in one place. */
function spoiled(place: Place, value: unknown): unknown {
  const copy: unknown = structuredClone(whole)
  const [last = ''] = place.slice(-1)
  const holder = place.slice(0, -1).reduce<unknown>((one, part) => Object(one)[part] as unknown, copy)
  Object.assign(Object(holder), { [last]: value })
  return copy
}

/** What the schema says of a name below a node, through everything that it refers to. */
function below(node: Node, name: string | number): readonly Node[] {
  return forms(node).flatMap(({ properties, additionalProperties, items }) => {
    const own = typeof name === 'number' ? items : isNode(properties) ? properties[name] : undefined
    return [own ?? additionalProperties].filter(isNode)
  })
}

function forms(node: Node): readonly Node[] {
  const { $ref, allOf, oneOf } = node
  const named = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : ''
  const referred = Object.entries({
    ...schema.$defs,
    ...clauseSet.$defs,
    'clause-set.schema.json': clauseSet,
  }).flatMap(([name, one]) => (name === named ? [one] : []))
  return [node, ...[...referred, ...nodes(allOf), ...nodes(oneOf)].flatMap(forms)]
}

describe('the schema of a record', () => {
  test('lets a whole one pass, one of every verdict, and one with members of a later version', () => {
    expect(runProblem(whole)).toBeNull()
    expect(runProblem(runOf(everyVerdict()).record)).toBeNull()
    expect(runProblem({ ...whole, later: 1, run: { ...whole.run, later: {} } })).toBeNull()
  })

  test('describes every member', () => {
    const dumb = places.filter((place) => {
      const found = place.reduce<readonly Node[]>(
        (from, part) => from.flatMap((node) => below(node, part)),
        [schema],
      )
      return !found.flatMap(forms).some(({ description }) => typeof description === 'string')
    })
    // Entries of lists, and what a scenario or a secret is called, have no words of their own.
    const own = dumb.filter((place) => typeof place.at(-1) !== 'number' && !place.includes('notes'))
    expect(places.length).toBeGreaterThan(100)
    expect(own.map(pointer)).toEqual([])
  })

  test('names the place, in one line, of whatever is of another kind', () => {
    const reported = places.map((place) => [
      pointer(place),
      runProblem(spoiled(place, isNode(at(place)) ? [] : {})) ?? 'passed',
    ])
    expect(reported.filter(([name, words]) => !words?.startsWith(`${name} is `))).toEqual([])
    expect(reported.filter(([, words]) => words?.includes('\n'))).toEqual([])
  })

  test('has the words of the types, and no others', () => {
    const { finding, reason, begun, run } = schema.$defs
    const words = (list: readonly string[]): readonly string[] => list.toSorted()
    const profiles: Record<Profile, true> = { smoke: true, standard: true, exhaustive: true }
    const lives: Record<RunRecord['run']['lifecycle'], true> = {
      finished: true,
      interrupted: true,
      'target-lost': true,
      crashed: true,
    }
    expect(words(finding.properties.verdict.enum)).toEqual(words(verdictOrder))
    expect(words(reason.enum)).toEqual(words(Object.keys(reasons)))
    expect(words(finding.properties.area.enum)).toEqual(words(Object.keys(areas)))
    expect(words(finding.properties.level.enum)).toEqual(words([...levels, 'silent']))
    expect(words(finding.properties.basis.enum)).toEqual(words([...bases, 'silent']))
    expect(words(begun.properties.profile.enum)).toEqual(words(Object.keys(profiles)))
    expect(words(run.properties.lifecycle.enum)).toEqual(words(Object.keys(lives)))
    expect(words(schema.properties.conformance.enum)).toEqual(words(Object.keys(conformanceWords)))
  })

  const [found] = whole.findings
  const evidenceOf = (verdict: Verdict) => [{ ...found, verdict, evidence: [] }]
  const bare = '/findings/0/evidence is empty, and a verdict on the target rests on at least one exchange'
  test.for<[string, object, string]>([
    ['a pass that nothing shows', { findings: evidenceOf('pass') }, bare],
    ['a failure that nothing shows', { findings: evidenceOf('fail') }, bare],
    ['a warning that nothing shows', { findings: evidenceOf('warn') }, bare],
    [
      'a check that was not exercised for no reason',
      { findings: [{ ...found, reason: undefined }] },
      '/findings/0/reason is missing',
    ],
    ['another verdict', { findings: [{ ...found, verdict: 'passed' }] }, '/findings/0/verdict is "passed"'],
    ['another reason', { findings: [{ ...found, reason: 'tired' }] }, '/findings/0/reason is "tired"'],
    ['a check that is no id', { findings: [{ ...found, check: 'x' }] }, '/findings/0/check is "x"'],
    ['an exchange 0', { findings: [{ ...found, evidence: [0] }] }, '/findings/0/evidence/0 must be >= 1'],
    ['a digest cut short', { contract: { ...whole.contract, digest: 'ab' } }, '/contract/digest is "ab"'],
    ['a time of no zone', { run: { ...whole.run, endedAt: '2026-11-21T09:30' } }, '/run/endedAt is'],
    ['a day that there is not', { run: { ...whole.run, endedAt: '2026-02-31T00:00:00Z' } }, '/run/endedAt'],
    ['a later version', { schemaVersion: 2 }, '/schemaVersion is 2, and this version'],
    ['no version', { schemaVersion: undefined }, '/schemaVersion is missing'],
  ])('refuses %s', ([, over, reported]) => {
    expect(runProblem(JSON.parse(JSON.stringify({ ...whole, ...over })))).toContain(reported)
  })

  test.for([[null], ['text'], [[]], [7]])('refuses %j', ([value]) => {
    expect(runProblem(value)).toMatch(/is .*, not object/)
  })
})

describe('the schemas of the files beside it', () => {
  const { schemaVersion, tool, target, contract, budgets, plan } = whole
  const { endedAt, lifecycle, ...run } = whole.run
  const opening = { schemaVersion, tool, run, target, contract, budgets }
  const prev = 'ab'.repeat(32)
  const journal: Run['journal'] = runOf([]).journal
  const exchange = JSON.parse(JSON.stringify(journal[0])) as Node
  const request = { method: 'POST', path: '/', headers: [['a', 'b']], body: '', principal: null }
  const big = { evidence: prev, bytes: 5_000 }
  const inbound = {
    ...exchange,
    request,
    response: { status: 200, headers: [], at: 1, chunks: [{ at: 1, body: big }], complete: true },
    inbound: { place: 'a', targetAt: 1, targetEndedAt: 2, cut: true },
  }

  test.for([
    ['the beginning', { seq: 0, is: 'run', opening }],
    ['an exchange', { seq: 1, is: 'exchange', exchange: { ...exchange, request, response: null } }],
    ['an exchange that came in', { seq: 1, is: 'exchange', exchange: inbound }],
    ['a scenario', { seq: 2, is: 'scenario', scenarioRun: whole.scenarioRuns[0], used: whole.used }],
    ['the end', { seq: 3, is: 'end', endedAt, lifecycle, exchanges: 1 }],
  ] as const)('let %s of a journal pass', ([, line]) => {
    expect(journalLineProblem({ prev, ...line })).toBeNull()
    expect(journalLineProblem({ ...line, prev: 'none' })).toContain('/prev is "none"')
    expect(journalLineProblem({ prev, ...line, is: 'other' })).toContain('/is is "other"')
  })

  test('know what changed, by every kind of change', () => {
    const failed = { record: whole as RunRecord, journal }
    const changes = compare(runOf(everyVerdict()), failed)
    expect(changesProblem(changes)).toBeNull()
    expect(changes.changes.length).toBeGreaterThan(8)
    const [first] = changes.changes
    expect(changesProblem({ ...changes, changes: [{ ...first, kind: 'other' }] })).toContain(
      '/changes/0/kind is "other"',
    )
    const { kind } = changesSchema.properties.changes.items.properties
    expect(kind.enum.toSorted()).toEqual(changeKinds.toSorted())
  })

  test('accept a plan, the input of judges, and a manifest', () => {
    expect(planProblem({ ...opening, plan })).toBeNull()
    expect(planProblem(opening)).toBe('/plan is missing')
    const policy = { knownFailures: [], flaky: [], expectedNotExercised: [] }
    expect(judgingProblem({ dialect: { routes: { plans: '/plans' } }, policy })).toBeNull()
    expect(judgingProblem({ dialect: { rateHeaders: 'x' }, policy })).toBe(
      '/dialect/rateHeaders is "x", not array',
    )
    const file = { path: 'evidence/ab', size: 3, sha256: prev }
    expect(manifestProblem({ schemaVersion: 1, files: [file] })).toBeNull()
    for (const path of ['/etc/passwd', '../x', 'a/../b', '..', 'a\\b', ''])
      expect(manifestProblem({ schemaVersion: 1, files: [{ ...file, path }] })).toContain('/files/0/path')
  })
})
