/** Whether what stands in the files of a run has the shape of one: they may have been edited, cut off or made up. */
import { areas, clauses, gaps } from '../../spec/index.ts'
import { notExercisedReasons, verdicts } from '../../suites/engine/judgement.ts'
import { profiles } from '../../suites/engine/scenario.ts'

/** Gives the place of what does not fit, below its own, in words; null where all fits. */
type Shape = (value: unknown) => string | null

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fits =
  (what: string, test: (value: unknown) => boolean): Shape =>
  (value) =>
    test(value) ? null : ` is not ${what}`

const text = fits('a text', (value) => typeof value === 'string')
const number = fits('a number', (value) => typeof value === 'number' && Number.isFinite(value))
const flag = fits('true or false', (value) => typeof value === 'boolean')
const nothing = fits('null', (value) => value === null)
const day = fits('a time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))
const oneOf = (...known: readonly unknown[]): Shape =>
  fits('one that is known', (value) => known.includes(value))

const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? null : shape(value)

const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.map((shape) => shape(value)).reduce((best, told) => (best === null ? null : told))

const listOf =
  (shape: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return ' is not a list'
    const told = value.map(shape)
    const at = told.findIndex((one) => one !== null)
    return at === -1 ? null : `/${at}${told[at]}`
  }

const tableOf =
  (shape: Shape): Shape =>
  (value) => {
    if (!isTable(value)) return ' is not an object'
    for (const [name, inner] of Object.entries(value)) {
      const told = shape(inner)
      if (told !== null) return `/${name}${told}`
    }
    return null
  }

/** Further members are nobody's business. */
const members =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) => {
    if (!isTable(value)) return ' is not an object'
    for (const [name, shape] of Object.entries(shapes)) {
      const told = shape(Object.hasOwn(value, name) ? value[name] : undefined)
      if (told !== null) return `/${name}${told}`
    }
    return null
  }

const subject = fits(
  'a clause or a gap',
  (value) => typeof value === 'string' && (Object.hasOwn(clauses, value) || Object.hasOwn(gaps, value)),
)
const states = listOf(members({ state: text, by: text }))

const finding = members({
  check: text,
  subject,
  area: oneOf(...Object.keys(areas)),
  level: text,
  basis: text,
  scenario: text,
  title: text,
  verdict: oneOf(...verdicts),
  reason: optional(oneOf(...notExercisedReasons)),
  detail: optional(text),
  expected: optional(text),
  got: optional(text),
  fingerprint: optional(text),
  evidence: listOf(number),
  states,
  waived: optional(members({ as: text, owner: text, reason: text, issue: optional(text), expires: text })),
})

const ending = either(
  members({ is: oneOf('inconclusive'), because: text }),
  members({ is: oneOf('not-exercised'), reason: oneOf(...notExercisedReasons), because: text }),
  nothing,
)

const story = members({
  scenario: text,
  notes: tableOf(either(text, number, flag)),
  ending,
  crash: either(nothing, text),
  states: listOf(
    members({
      state: text,
      by: text,
      doubt: optional(members({ because: text, exchanges: listOf(number), believed: flag })),
    }),
  ),
  stuck: listOf(text),
})

const record = members({
  schemaVersion: oneOf(1),
  tool: members({ name: text, version: text, node: text, suite: text }),
  run: members({
    id: text,
    seed: number,
    profile: oneOf(...profiles),
    startedAt: day,
    endedAt: day,
    lifecycle: oneOf('finished', 'interrupted', 'crashed'),
  }),
  target: members({
    name: text,
    kind: oneOf('simulator', 'staging', 'production', 'receiver'),
    baseUrl: text,
    organization: optional(text),
    project: optional(text),
    version: optional(text),
    url: optional(text),
    contact: optional(listOf(text)),
    fileDigest: optional(text),
  }),
  contract: members({ revision: text, digest: text }),
  budgets: tableOf(number),
  plan: members({
    checks: listOf(members({ check: text, subject, scenario: text })),
    digest: text,
    ceiling: members({ requests: number, turns: number }),
  }),
  findings: listOf(finding),
  stories: listOf(story),
  used: members({ requests: number, turns: number, credits: number, wallSeconds: number }),
  conformance: oneOf('conformant', 'partial', 'nonconformant'),
  gate: members({ passed: flag, because: listOf(text), stalePolicy: listOf(text) }),
  exitCode: number,
  uncovered: listOf(members({ clause: text, why: text })),
})

const promised = {
  check: text,
  owner: text,
  reason: text,
  issue: optional(text),
  expires: text,
  at: optional(text),
}

/** Pointers and names, as deep as a dialect goes. */
const words: Shape = (value) => (typeof value === 'string' ? null : bracketed(value))
const bracketed = either(
  number,
  listOf((value) => words(value)),
  tableOf((value) => words(value)),
)

const basis = members({
  dialect: members({
    rateHeaders: optional(listOf(text)),
    errorCode: optional(text),
    buttons: optional(listOf(text)),
    ...Object.fromEntries(
      [
        'execution',
        'discovery',
        'receipt',
        'task',
        'approval',
        'log',
        'routes',
        'listings',
        'design',
        'uploads',
      ].map((name) => [name, optional(tableOf(words))]),
    ),
  }),
  policy: members({
    knownFailures: listOf(members({ ...promised, fingerprint: text })),
    flaky: listOf(members(promised)),
    expectedNotExercised: listOf(members({ pattern: text, reason: text, at: optional(text) })),
  }),
})

/** By the file that they stand in. */
export const shapes = { record, basis } as const satisfies Record<string, Shape>
