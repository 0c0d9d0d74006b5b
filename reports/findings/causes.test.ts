import { expect, test, it } from 'vitest'
import { mistakes, mistakesInScenarios, mistakesSeen, usualMistakes } from '../../spec/mistakes.ts'
import type { ClauseId } from '../../spec/index.ts'
import type { Finding } from '../../bundle/record.ts'
import type { KillMatrix } from '../proof/kill-matrix.ts'
import { formats } from '../formats/index.ts'
import { exchange, finding, runOf } from '../testing/run.testkit.ts'
import { adviceOf, alike, causesOf } from './causes.ts'

const matrix: KillMatrix = {
  faults: {
    unmarked: {
      title: 'A replay has no header.',
      kills: {
        'i/replay': ['IDEM-REPLAY-HEADER', 'IDEM-STREAM-REPLAY-HEADER'],
        'i/abort': ['IDEM-ABORT-ONE-RUN'],
      },
    },
    'runs-again': {
      title: 'A replay runs again.',
      kills: {
        'i/abort': ['IDEM-ABORT-ONE-RUN'],
        'i/replay': ['IDEM-REPLAY-HEADER'],
        'i/credits': ['IDEM-REPLAY-FREE'],
      },
    },
    short: { title: 'A message of one character is accepted.', kills: { 'c/short': ['REQ-MESSAGE-MIN'] } },
  },
  receivers: {},
  clients: {},
}

function found(
  verdict: Finding['verdict'],
  scenario: string,
  subject: ClauseId,
  over: Partial<Finding> = {},
) {
  return finding({
    verdict,
    scenario,
    subject,
    check: `${scenario}/${subject}`,
    expected: 'a',
    got: 'b',
    ...over,
  })
}

const cited = [1, 2].map((exchange) => ({ exchange, as: 'run' }))
const abort = found('fail', 'i/abort', 'IDEM-ABORT-ONE-RUN', { evidence: [1, 2], cited })
const header = found('fail', 'i/replay', 'IDEM-REPLAY-HEADER', { evidence: [3, 4] })
const history = found('fail', 'h/pairs', 'IDEM-ABORT-ONE-RUN', { evidence: [5, 6, 7], cited })
const streamed = found('fail', 'i/replay', 'IDEM-STREAM-REPLAY-HEADER', { evidence: [9, 10, 11, 12] })
const short = found('fail', 'c/short', 'REQ-MESSAGE-MIN', { evidence: [8] })
const free = found('pass', 'i/credits', 'IDEM-REPLAY-FREE')

function groups(failures: readonly Finding[], passed: readonly Finding[] = []) {
  const causes = causesOf(failures, [...failures, ...passed], { journal: [] }, matrix)
  return causes.map(({ direct, follows }) => [direct, ...follows].map(({ finding }) => finding.check))
}

test('failures that one fault causes together form a group, with the most direct one first', () => {
  expect(groups([abort, short, history, header, streamed], [free])).toEqual([
    [header.check, streamed.check, abort.check, history.check],
    [short.check],
  ])
})

test('a check that passed speaks against the faults that fail it', () => {
  const passed = ['i/a', 'i/b'].map((scenario) => found('pass', scenario, 'IDEM-REPLAY-FREE'))
  const wide = {
    ...matrix,
    faults: {
      wide: {
        title: 'Everything fails.',
        kills: {
          ...matrix.faults['unmarked']?.kills,
          'i/a': ['IDEM-REPLAY-FREE'],
          'i/b': ['IDEM-REPLAY-FREE'],
        },
      },
    },
  }

  const causes = causesOf([abort, header], passed, { journal: [] }, wide)
  expect(causes.map(({ follows }) => follows)).toEqual([[], []])
})

it('reports once what one scenario says of several clauses, and apart what another exchange shows', () => {
  const crash = { verdict: 'error', scenario: 's', detail: 'the scenario threw', evidence: [] } as const
  const groups = alike([
    finding({ ...crash, subject: 'IDEM-KEY-MIN' }),
    finding({ verdict: 'fail', scenario: 's', expected: 'a', got: 'b', evidence: [1] }),
    finding({ ...crash, subject: 'IDEM-KEY-MAX' }),
    finding({ verdict: 'fail', scenario: 's', expected: 'a', got: 'b', evidence: [2] }),
    finding({ ...crash, scenario: 't', subject: 'IDEM-KEY-OVER' }),
  ])

  expect(groups.map(({ finding: { subject }, also }) => [subject, ...also])).toEqual([
    ['IDEM-KEY-MIN', 'IDEM-KEY-MAX'],
    ['IDEM-REPLAY-HEADER'],
    ['IDEM-REPLAY-HEADER'],
    ['IDEM-KEY-OVER'],
  ])
})

const typed = (type: string) => ({ headers: [['content-type', type]] as const })
const written = (text: string, type: string) => ({
  ...typed(type),
  chunks: [{ at: 1, bytes: new TextEncoder().encode(text) }],
})
const page = written('\n<!doctype html>', 'text/html')
const json = 'application/json'
const events = 'text/event-stream; charset=utf-8'

test.each<
  [
    cause: string | null,
    subject: ClauseId,
    over: Readonly<Record<string, unknown>>,
    got?: string,
    expected?: string,
    failure?: 'reset',
  ]
>([
  ['a gateway or login page', 'REQ-ROUTE', page],
  ['the framework answers with a page', 'IDEM-CONFLICT-CODE', { ...page, status: 409 }],
  ['the service failed', 'REQ-ROUTE', { status: 502 }, 'status 502'],
  ['broke off', 'SSE-TOKEN', typed(events), 'a', 'b', 'reset'],
  [
    'another encoding',
    'REQ-ROUTE',
    { ...typed(json), chunks: [{ at: 1, bytes: Uint8Array.of(0x22, 0xe9) }] },
  ],
  ['cut short', 'RES-JSON', written('{"response":', json)],
  ['another content type', 'RES-JSON', written('{}', 'text/html')],
  ['another content type', 'SSE-CONTENT-TYPE', written('data: {}', json)],
  ['the framework chooses', 'PAUSE-STATUS', { status: 201 }, 'status 201', 'status 200'],
  ['the path has no route', 'OPS-LIST', { ...page, status: 404 }, 'status 404', 'status 200'],
  ['the key of a message', 'LIB-SENT-AGAIN', {}, 'another message under the same key'],
  ['a used key runs again', 'IDEM-REPLAY-HEADER', {}, 'a second turn: 200, not a replay', 'a replay'],
  ['stricter than the contract', 'REQ-ROUTE', { status: 400 }, 'status 400', 'status 200'],
  [null, 'REQ-ROUTE', { status: 402 }, 'status 402', 'status 200'],
  [null, 'AUTH-MISSING', { status: 403 }, 'status 403', 'status 401'],
  [null, 'AUTH-AGENT-UNKNOWN', { status: 400 }, 'status 400', 'status 404'],
  ['runs before authentication', 'AUTH-MISSING', {}, 'status 200', 'status 401'],
])(
  'what was received bears the cause out: %s of %s',
  (cause, subject, over, got = 'a', expected = 'b', kind) => {
    const { response, ...one } = exchange(1)
    const failure = kind ? { kind, message: '' } : null
    const answered = { ...one, response: response && { ...response, ...over }, failure }
    const failed = found('fail', 'a', subject, { got, expected })
    const failures = [failed, found('fail', 'b', subject, { got, expected })]
    const run = runOf(failures, {}, [answered])
    const advice = adviceOf(failed, run)
    expect(String(advice.cause)).toContain(String(cause))
    expect(advice.fix === null).toBe(cause === null)
  },
)

test('failures that one response explains form a group', () => {
  const { response, ...one } = exchange(1)
  const failures = [found('fail', 'a', 'REQ-ROUTE'), found('fail', 'b', 'IDEM-KEY-MIN')]
  const run = runOf(failures, {}, [{ ...one, response: response && { ...response, ...page } }])
  expect(causesOf(failures, failures, run)).toHaveLength(1)
})

test('every frequent mistake has a cause and a fix, in at most 25 words', () => {
  const ofReceivers = mistakesSeen.flatMap(([, mistake]) => mistake ?? [])
  const tables = [mistakes, mistakesInScenarios, usualMistakes]
  const wrong = [...tables.flatMap((table) => Object.values<string>(table)), ...ofReceivers].filter(
    (text) => !/^[^→]+ → [^→]+$/.test(text) || text.replace(' → ', ' ').split(/\s+/).length > 25,
  )
  expect(wrong).toEqual([])
})

test.each(['text', 'html', 'markdown', 'junit'])(
  'format %s has the likely cause and the fix of a failure',
  (name) => {
    const run = runOf([finding({ verdict: 'fail', subject: 'RECV-QUICK', expected: 'a', got: 'b' })])
    const text = String(formats.find((one) => one.name === name)?.render(run))
    expect(text).toContain('probably: the work is done before the answer')
    expect(text).toContain('store the delivery, answer, then work')
  },
)
