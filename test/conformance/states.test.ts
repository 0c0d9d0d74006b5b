/** In each state: a server that breaks a rule there is failed, and one that is not in the state is not judged. */
import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import type { TenantHooks } from '../../simulator/modification/modification.ts'
import {
  headerValues,
  jsonReply,
  type ReplyInfo,
  type Reply,
  type StreamEvent,
} from '../../simulator/edge/reply.ts'
import type { ClauseId } from '../../spec/index.ts'
import { serverScenarios, type Run, type Target } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { line } from '../simulated-run.ts'

type Make = (simulator: Simulator) => TenantHooks
type Change = (target: Target, simulator: Simulator) => Partial<Target>

async function run(only: readonly string[], make: Make, change: Change = () => ({})): Promise<Run> {
  const simulator = await createSimulator({})
  try {
    const { state } = simulator.tenant
    state.hooks = [...state.hooks, make(simulator)]
    const target = simulatorTarget(simulator)
    const options = { seed: 1, scenarios: serverScenarios, only }
    return await runSuite({ ...target, ...change(target, simulator) }, options)
  } finally {
    await simulator.close()
  }
}

/** Another answer in the place of those that it concerns. */
const instead =
  (concerns: (about: ReplyInfo, reply: Reply) => boolean, status: number, body: object): Make =>
  () => ({
    reply: (reply) =>
      concerns(reply.about, reply) ? jsonReply(status, body as never, reply.about, []) : reply,
  })

const error = { error: 'Not now.' }
const turn = {
  response: 'Certainly.',
  conversation_id: '0f9f8d9e-1111-4222-8333-444455556666',
  credits_used: 1,
  credits_remaining: 90,
}
const isBarred = ({ code }: ReplyInfo): boolean => code === 'AI_REPLY_PAUSED'
const inPause = (about: ReplyInfo): boolean => about.paused === true || isBarred(about)
const refusedWith = (status: number) => (about: ReplyInfo, reply: Reply) =>
  about.operation === 'chat' && reply.kind === 'json' && reply.status === status

const isFailing = ({ agent }: ReplyInfo): boolean => agent === 'failing'
const failedTurn = ['SSE-ERROR', 'SSE-ONE-TERMINAL'] as const
const isEnd = ({ type }: StreamEvent): boolean => type === 'done' || type === 'error'

/** Streams that stop before their end, and stay open. */
const endless =
  (concerns: (about: ReplyInfo) => boolean): Make =>
  () => ({
    async *events(events, about) {
      for await (const event of events) {
        if (concerns(about) && isEnd(event)) await new Promise((stay) => void setTimeout(stay, 3_000))
        yield event
      }
    },
  })

/** Streams that end without saying so. */
const closing =
  (concerns: (about: ReplyInfo) => boolean): Make =>
  () => ({
    async *events(events, about) {
      for await (const event of events) if (!concerns(about) || !isEnd(event)) yield event
    },
  })

/** A turn that failed is finished by a `done`. */
const succeeding: Make = () => ({
  async *events(events) {
    for await (const event of events) yield event.type === 'error' ? { ...turn, type: 'done' } : event
  },
})

/** So long a stream may take here. */
const hurried: Change = ({ timing }) => ({ timing: { ...timing, answerTimeoutMs: 1_000 } })

const breaches: readonly (readonly [what: string, only: string, make: Make, failed: readonly ClauseId[]])[] =
  [
    [
      'a button is executed while replies are paused',
      'pause/interaction',
      instead(isBarred, 200, turn),
      ['PAUSE-INTERACTION-CODE', 'PAUSE-INTERACTION-STATUS'],
    ],
    ...[402, 429, 503].map(
      (status) =>
        [
          `a paused conversation answers ${status}`,
          'pause/stored',
          instead(inPause, status, error),
          ['PAUSE-STATUS'],
        ] as const,
    ),
    [
      'a button is answered 503 while replies are paused',
      'pause/interaction',
      instead(isBarred, 503, error),
      ['PAUSE-INTERACTION-CODE', 'PAUSE-INTERACTION-STATUS'],
    ],
    ...[402, 403, 429, 503].map(
      (status) =>
        [
          `an invalid body is answered ${status}`,
          'REQ-MESSAGE-EMPTY',
          instead(refusedWith(400), status, error),
          ['REQ-MESSAGE-EMPTY'],
        ] as const,
    ),
    ...[402, 503].map(
      (status) =>
        [
          `an unknown key is answered ${status}`,
          'auth/credentials',
          instead(refusedWith(401), status, error),
          ['AUTH-EMPTY', 'AUTH-MISSING', 'AUTH-STREAM', 'AUTH-UNKNOWN'],
        ] as const,
    ),
    [
      'a turn without credits is answered 503',
      'credits/exhausted',
      instead(refusedWith(402), 503, error),
      ['CRED-EMPTY-STATUS'],
    ],
    [
      'a stream never ends while replies are paused',
      'pause/stored',
      endless(({ paused }) => paused === true),
      ['PAUSE-STREAM-DONE'],
    ],
    [
      'a stream just closes while replies are paused',
      'pause/stored',
      closing(({ paused }) => paused === true),
      ['PAUSE-STREAM-DONE'],
    ],
    [
      'a turn that fails never ends',
      'streaming-events/failed-turn,rules/streams',
      endless(isFailing),
      failedTurn,
    ],
    [
      'a turn that fails just closes',
      'streaming-events/failed-turn,rules/streams',
      closing(isFailing),
      failedTurn,
    ],
    ['a turn that fails ends with done', 'streaming-events/failed-turn', succeeding, ['SSE-ERROR']],
    [
      'a key that has what it needs and no more is answered 403',
      'RES-CREDITS-WITHOUT-BILLING',
      ({ tenant }) => ({
        reply: (reply, call) => {
          const [sent = ''] = headerValues(call, 'authorization')
          const is = reply.about.operation === 'chat' && sent.includes(tenant.keys['noBilling'])
          return is ? jsonReply(403, error, reply.about, []) : reply
        },
      }),
      ['RES-CREDITS-WITHOUT-BILLING'],
    ],
  ]

test.concurrent.for(breaches)('%s: failed', async ([what, only, make, failed]) => {
  const { record } = await run(only.split(','), make, what.includes('never ends') ? hurried : undefined)
  const red = record.findings.filter(({ verdict }) => verdict === 'fail')
  expect([...new Set(red.map(({ subject }) => subject))].sort()).toEqual(failed)
  expect(record.exitCode).toBe(1)
})

test.concurrent.for([402, 429, 503])('%i now and then fails nothing', async (status) => {
  // What comes now and then, and not to each attempt.
  const { record } = await run(['pause/*', 'auth/*', 'chat-request/*', 'workflow/*'], () => {
    let count = 0
    return {
      reply: (reply) =>
        reply.about.operation === 'chat' && ++count % 3 === 0
          ? jsonReply(status, error, reply.about, [])
          : reply,
    }
  })
  expect(record.findings.filter(({ verdict }) => verdict === 'fail').map(line)).toEqual([])
})

const fixture =
  (agent: 'plain' | 'second'): Change =>
  ({ agents, states }) => ({
    states: { ...states, 'chat.paused': { provide: 'fixture', agent: agents[agent] ?? '' } },
  })

test('an agent that is declared as paused, and is not, is a state mismatch and costs no other check its verdict', async () => {
  const { record } = await run(['pause/stored', 'auth/*'], () => ({}), fixture('second'))
  const unlike = record.findings.filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(unlike.length).toBeGreaterThan(0)
  for (const finding of unlike)
    expect(finding).toMatchObject({ scenario: 'pause/stored', reason: 'state-mismatch' })
  expect(record.exitCode).toBe(3)
})

test('a pause that ends in the middle of a scenario is a state mismatch', async () => {
  // The pause is over as soon as a button is pressed in it.
  const ends: Make = ({ tenant: { state } }) => ({
    reply: (reply, call) => {
      if (!isBarred(reply.about)) return reply
      const agent = state.agents.get(call.params['agentId'] ?? '')
      if (agent) Object.assign(agent, { paused: false })
      return jsonReply(200, turn, reply.about, [])
    },
  })
  const { record } = await run(['pause/interaction'], ends)
  expect(record.findings.filter(({ verdict }) => verdict === 'fail').map(line)).toEqual([])
  expect(record.findings.some(({ reason }) => reason === 'state-mismatch')).toBe(true)
})

const failing =
  (role: 'failing' | 'plain'): Change =>
  ({ states }, { tenant }) => ({
    states: { ...states, 'stream.error': { provide: 'fixture', agent: tenant.agents[role] } },
  })

test('an agent that is declared as failing, and does not, is a state mismatch', async () => {
  const { record } = await run(['streaming-events/failed-turn'], () => ({}), failing('plain'))
  expect(record.findings.map(({ verdict }) => verdict)).not.toContain('fail')
  expect(record.findings.find(({ subject }) => subject === 'SSE-ERROR')?.reason).toBe('state-mismatch')
  expect(record.exitCode).toBe(3)
})

const disallowed =
  (provide: 'fixture' | 'attest'): Change =>
  ({ agents, states }) => ({
    states: {
      ...states,
      'plan.disallows':
        provide === 'fixture'
          ? { provide, agent: agents.second ?? '' }
          : { provide, by: 'ann', on: '2026-11-01', note: 'seen' },
    },
  })

test.concurrent.for([
  ['fixture', 'fail'],
  ['attest', 'not-exercised'],
] as const)('an agent that no plan refuses, declared by %s, is %s', async ([provide, verdict]) => {
  const { record } = await run(['auth/plan'], () => ({}), disallowed(provide))
  expect(record.findings.find(({ subject }) => subject === 'AUTH-PLAN')?.verdict).toBe(verdict)
})

test.concurrent.for([
  ['A message.', 'fail'],
  [null, 'pass'],
] as const)('a further way to an event with the message %j: %s', async ([message, verdict]) => {
  const { record } = await run(
    ['events/each'],
    () => ({}),
    ({ states }) => ({
      furtherStates: {
        'event.leads.submit': [
          message === null
            ? (states['event.leads.submit'] ?? { provide: 'control' })
            : { provide: 'fixture', message },
        ],
      },
    }),
  )
  expect(record.findings.find(({ subject }) => subject === 'EVT-LEADS-SUBMIT')?.verdict).toBe(verdict)
})
