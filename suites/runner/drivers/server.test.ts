import { afterEach, describe, expect, test } from 'vitest'
import { header, status } from '../../assertions/answer.ts'
import { fail, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { isReplay, succeeded } from '../../assertions/reply.ts'
import type { Finding, Run } from '../../../bundle/record.ts'
import { type Target, ConfigurationError } from '../../config/target.ts'
import { runSuite, type RunOptions } from './server.ts'
import { scenario, type AnyScenario, type Scenario } from '../../scenario/scenario.ts'
import { serviceDouble, targetDouble, type Answer, type Double } from '../service.testkit.ts'

const replay = scenario({
  title: 'a completed key answers an identical request from the record',
  exchanges: ['first', 'again'],
  cost: { requests: 2, turns: 1 },
  async run(t) {
    const first = await t.chat('first', { message: t.text(30) })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-REPLAY-STATUS': ({ first, again }) => given(succeeded(first), () => status(again, 200)),
    'IDEM-REPLAY-HEADER': ({ again }) => header(again, 'x-service-idempotent-replay', 'true'),
  },
  observe: { 'GAP-CREDIT-COST': ({ first }) => observed(`fresh: ${!isReplay(first)}`) },
})

type Single = Scenario<'one' | 'never'>

/** A scenario of one exchange; `never` is declared and not run. */
function single(judge: Single['judge'], change: Partial<Single> = {}): AnyScenario {
  return scenario({
    title: 'one',
    exchanges: ['one', 'never'],
    cost: { requests: 1, turns: 1 },
    run: async (t) => void (await t.chat('one')),
    judge,
    ...change,
  })
}

let service: Double
afterEach(() => service.close())

async function run(
  scenarios: Readonly<Record<string, AnyScenario>>,
  { answer, target = {}, ...options }: Partial<RunOptions> & Setup = {},
): Promise<Run> {
  service = await serviceDouble(answer)
  return runSuite({ ...service.target, ...target }, { seed: 1, runId: 'run', scenarios, ...options })
}
interface Setup {
  answer?: (ask: Double['seen'][number]) => Answer | null
  target?: Partial<Target>
}

const verdictOf = (ran: Run, check: string): Partial<Finding> | undefined =>
  ran.record.findings.find((finding) => finding.check === check)

describe('what a judge says becomes', () => {
  test.for([
    ['of a must that is broken, a failure', { 'RES-JSON': ({ one }) => fail('a', 'b', one) }, 'fail'],
    ['of a should that is broken, a warning', { 'IDEM-KEY-ODD': ({ one }) => fail('a', 'b', one) }, 'warn'],
    ['of a pass without an exchange, our error', { 'RES-JSON': () => pass }, 'error'],
    ['of a throw, our error', { 'RES-JSON': () => JSON.parse('{') as never }, 'error'],
    ['of what cannot be said, inconclusive', { 'RES-JSON': () => inconclusive('no') }, 'inconclusive'],
  ] as readonly (readonly [string, Single['judge'], string])[])('%s', async ([, judge, verdict]) => {
    const ran = await run({ 'a/b': single(judge) })
    expect(ran.record.findings.map((finding) => finding.verdict)).toEqual([verdict])
  })

  test('of a gap that is judged, our error', async () => {
    const ran = await run({
      'a/b': single({}, { observe: { 'GAP-CREDIT-COST': ({ one }) => fail('a', 'b', one) } }),
    })
    expect(ran.record).toMatchObject({ findings: [{ verdict: 'error', level: 'silent' }], exitCode: 70 })
  })
})

test('a cap ends scenarios cleanly, and nothing is sent beyond it', async () => {
  const budgets = { ...targetDouble().budgets, requests: 2 }
  const ran = await run({ 'a/b': replay, 'a/c': replay }, { target: { budgets } })
  expect(service.seen).toHaveLength(2)
  expect(verdictOf(ran, 'a/b/IDEM-REPLAY-STATUS')).toMatchObject({
    verdict: 'not-exercised',
    reason: 'budget-exhausted',
    detail: 'the run may use 2 requests, and this could make it 3',
  })
  expect(verdictOf(ran, 'a/c/IDEM-REPLAY-STATUS')?.reason).toBe('budget-exhausted')
  expect(ran.record).toMatchObject({ run: { lifecycle: 'interrupted' }, exitCode: 3 })
})

test('an abort ends the run: what was under way and what was to come is interrupted', async () => {
  const abort = new AbortController()
  let turns = 0
  const answer = (): null => {
    if (++turns === 4) abort.abort()
    return null
  }
  const ran = await run({ 'a/b': replay, 'a/c': replay, 'a/d': replay }, { answer, signal: abort.signal })
  const reasons = ran.record.findings.map(({ scenario, reason }) => `${scenario} ${reason ?? 'judged'}`)
  expect([...new Set(reasons)]).toEqual(['a/b judged', 'a/c interrupted', 'a/d interrupted'])
  expect(ran.record).toMatchObject({ run: { lifecycle: 'interrupted' }, exitCode: 3 })
})

const refusal = (status: number) => ({ status, body: { error: 'no' } })

const stored = { status: 200, body: { response: '', customer_message: { ai_reply: 'paused' } } }
const page = { status: 200, body: '<html></html>', headers: { 'content-type': 'text/html' } }
/** Without a key it is refused: the route is there. */
const unknownAgent: Setup['answer'] = ({ headers }) => refusal('authorization' in headers ? 404 : 401)

const asked = 'POST http://127.0.0.1:PORT/api/v1/chat/agent-plain was'
const notOurs = (what: string): string =>
  `${asked} not answered by the service (${what}): check target.baseUrl`
const noPrefix = 'target.baseUrl must not include /api/v1; use http://127.0.0.1:PORT'

/** What is said, the answer to everything, and what stands behind the address. */
const wrong: Readonly<Record<string, readonly [answer: NonNullable<Setup['answer']>, path?: string]>> = {
  'the API key was refused (401) before the first check: check principals.main.bearer': [() => refusal(401)],
  'the API key may not send messages to the agent (403): check that principals.main.bearer has the scope `chat`, and agents.plain (agent-plain)':
    [() => refusal(403)],
  'the service has no such agent for this API key (404): check agents.plain (agent-plain)': [unknownAgent],
  [`${asked} answered 404: check agents.plain (agent-plain), and that target.baseUrl is the address before /api/v1`]:
    [() => refusal(404)],
  [notOurs('404, text/html')]: [() => ({ ...page, status: 404 })],
  [notOurs('405, application/json')]: [() => refusal(405)],
  [notOurs('200, text/html')]: [() => page],
  [notOurs('200, application/json')]: [() => ({ status: 200, body: {} })],
  'the account has no credits (402): add some, or check principals.main.bearer': [() => refusal(402)],
  'agents.plain (agent-plain) is paused (its turns get no AI reply): resume it': [() => stored],
  [noPrefix]: [() => refusal(404), '/api/v1'],
  [`${noPrefix}/staging`]: [() => page, '/staging/api/v1/chat/a'],
}

test.for(Object.entries(wrong))('nothing is judged, but said: %s', async ([words, [answer, path = '']]) => {
  service = await serviceDouble(answer)
  const { baseUrl } = service.target
  const target = { ...service.target, baseUrl: `${baseUrl}${path}` }
  await expect(runSuite(target, { seed: 1, scenarios: { 'a/b': replay, 'a/c': replay } })).rejects.toThrow(
    new ConfigurationError(words.replace('PORT', new URL(baseUrl).port)),
  )
})
