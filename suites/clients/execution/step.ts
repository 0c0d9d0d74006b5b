/** Runs one step: the client does its task, and the exchanges of its service are collected. */
import type { Clock } from '../../wire/clock.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import type { ClientStep } from '../client-scenario.ts'
import type { ClientRunner, ClientService, StartService, Assignment } from './task.ts'
import type { StepResult, ClientReport } from '../../../bundle/client-report.ts'
import type { NetworkFault, RefuseAction } from '../../../spec/types/control.ts'
import { reportedMember } from '../assertions/reported-reply.ts'

export interface StepExecution {
  /** The first ones; see `recordedExchanges`. */
  exchanges: readonly Exchange[]
  requests: number
  result: StepResult
  /** Whether a network fault was met, where any was prepared that the client is sure to meet. */
  isMet: boolean
}

export interface StepDeps {
  runner: ClientRunner
  clock: Clock
  signal: AbortSignal
}

export interface StepId {
  scenario: string
  name: string
  firstId: number
}

export interface OpenService {
  readonly running: ClientService
  before: number
  reported: readonly ClientReport[]
}

export interface ServicePool {
  /** The same seed gives the same keys and ids. Throws if the service cannot be started. */
  for(step: ClientStep, seed: string): Promise<OpenService>
  close(): Promise<void>
}

/** One service at a time: the previous one is closed before the next starts. */
export function createServicePool(open: StartService): ServicePool {
  let last: OpenService | null = null
  const close = async (): Promise<void> => {
    const closing = last
    last = null
    await closing?.running.close()
  }
  return {
    async for({ continues, service: setup = {} }, seed) {
      if (continues && last) return last
      await close()
      return (last = { running: await open(setup, seed), before: 0, reported: [] })
    },
    close,
  }
}

/** Exchanges of one step that are recorded; further ones are counted. */
export const recordedExchanges = 200
/** With the start of a program, on a machine that may be busy with others, and the pauses of a client between two reads. */
const defaultLimitMs = 30_000
const defaultLingerMs = 250

export async function runStep(
  step: ClientStep,
  service: OpenService,
  { scenario, name, firstId }: StepId,
  { runner, clock, signal }: StepDeps,
): Promise<StepExecution> {
  const { running, before, reported } = service
  const id = step.continues === 'conversation' ? reportedMember(reported, 'conversation_id') : undefined
  const given = typeof id === 'string' ? { conversationId: id } : running.prepared
  const result = await runner.runStep(
    {
      name: `${scenario}/${name}`,
      service: running,
      task: 'message' in step.task ? { ...step.task, ...given } : step.task,
      limitMs: step.limitMs ?? defaultLimitMs,
    },
    signal,
  )
  await clock.sleep(runner.lingerMs ?? defaultLingerMs, signal)
  const seen = running.seen({ scenario, name, firstId: firstId - before }).slice(before)
  service.before += seen.length
  service.reported = result.reported
  const exchanges = seen.slice(0, recordedExchanges)
  const { service: { networkFaults = [] } = {}, continues, maySendNothing } = step
  const isMet =
    networkFaults.length === 0 || continues !== undefined || maySendNothing === true || running.isMet()
  return { exchanges, requests: seen.length, result: { ...result, given }, isMet }
}

/**
 * Fixed responses in place of those of the simulator. They accept any request where the contract does not show its
 * form, such as the envelope of an execution, and contain unspecified members under every likely name.
 */
type RequestFilter = NonNullable<NetworkFault['on']>

export const routes = {
  anyRead: { method: 'GET', path: '/' },
  chat: { method: 'POST', path: '/api/v1/chat/' },
  discovery: { method: 'GET', path: '/api/v1/operations' },
  execution: { method: 'POST', path: '/api/v1/operation-executions/' },
  task: { method: 'GET', path: '/api/v1/tasks/' },
  approval: { method: 'GET', path: '/api/v1/approvals/' },
} as const satisfies Readonly<Record<string, RequestFilter>>

/** Requests that a network fault applies to, if it does not end. */
export const unlimited = 1_000

export const answers = (
  status: number,
  type: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): NetworkFault => ({
  do: { is: 'answer', status, headers: { 'Content-Type': type, ...more }, body },
})

/** A key has one reply, however often its turn is sent. */
export const replays = (type: string, body: string): NetworkFault => ({
  times: unlimited,
  ...answers(200, type, body, { '{replayHeader}': 'true' }),
})

/** Each body once, in this order, then the last one. If two scripts match a request, the first applies. */
export function script(where: RequestFilter, bodies: readonly Json[], status = 200): readonly NetworkFault[] {
  const last = bodies.length - 1
  return bodies.map((body, nth) => ({
    on: where,
    after: nth,
    times: nth === last ? unlimited : 1,
    ...answers(status, 'application/json', JSON.stringify(body)),
  }))
}

/** Refuses so many turns before they run. */
export const refusalsWith = (
  code: RefuseAction['code'],
  times = unlimited,
  retryAfterSeconds?: number,
): readonly NetworkFault[] => [
  { times, do: { is: 'refuse', code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } },
]

/** Cuts the connection of the first matching request. */
export function cutAt(where: RequestFilter, when: 'before' | 'after'): NetworkFault {
  return { on: where, times: 1, do: { is: 'cut', when } }
}

export const anyReply = {
  response: 'It is on its way.',
  conversation_id: '5f0c9a4e-8f4f-4a58-9d0c-3a1b7f1c2d3e',
  credits_used: 1,
  credits_remaining: 41,
}

export const completedReceipt = (data: Json): Json => ({ status: 'completed', data })
export const failureReceipt = (code: string, resolution: string): Json => ({
  status: 'failed',
  error: { code, resolution },
})

export const [taskId, approvalId] = ['task_4f2a9c71d0', 'appr_81c3e6b54a']

export const acceptedReceipt: Json = { status: 'accepted', task_id: taskId, taskId, task: { id: taskId } }
export const pendingReceipt: Json = {
  status: 'pending_approval',
  approval_id: approvalId,
  approvalId,
  approval: { id: approvalId },
}

export function taskThrough(...states: readonly string[]): readonly NetworkFault[] {
  return script(
    routes.task,
    states.map((state) => ({ id: taskId, task_id: taskId, taskId, state })),
  )
}

/** An execution that is accepted as a task, which is read in these states. */
export const acceptedAndThrough = (...states: readonly string[]): readonly NetworkFault[] => [
  ...script(routes.execution, [acceptedReceipt]),
  ...taskThrough(...states),
]

/** The only operation id in the contract, so every client knows it. */
export const inspectOperation = 'agent_setup.inspect'

/** Runs an operation that is answered so; without `more` one that every client knows. */
export const executing = (
  answer: Json,
  more: { operation?: string; input?: Json; status?: number } = {},
): ClientStep => ({
  task: {
    do: 'execute',
    operation: more.operation ?? inspectOperation,
    input: more.input ?? { agentId: 'agent-by-the-harbour' },
  },
  service: { networkFaults: script(routes.execution, [answer], more.status) },
})

export const heldForApproval = [
  ...script(routes.execution, [pendingReceipt]),
  ...script(routes.approval, [{ id: approvalId, state: 'pending', status: 'pending_approval' }]),
]

/** Characters of it that are quoted. */
const mostQuoted = 200

/** How runtimes begin the line of an uncaught error, before or after where it happened. */
const beginnings = [
  // Node.js and Python, such as `TypeError: …` and `Error [ERR_NAME]: …`.
  String.raw`[\w.$]*(?:Error|Exception)(?: \[\w+\])?:`,
  'Exception in thread ',
  'Unhandled exception',
  'panic: ',
  '(?:PHP )?fatal error: ',
  'error: ',
]
const errorLine = new RegExp(`^(?:${beginnings.join('|')})`, 'i')

/** The first line of an error, since what follows is where it happened; without one the last line. */
export function errorLineOf(stderr: string): string {
  const lines = stderr.trimEnd().split('\n')
  const line = lines.find((one) => errorLine.test(one)) ?? lines.at(-1) ?? ''
  return line.trim().slice(0, mostQuoted)
}

/** Does the task and returns what the application reports. A throw ends the step with exit code 1. */
export type RunFunction = (assignment: Assignment, signal: AbortSignal) => Promise<readonly ClientReport[]>

interface FunctionOptions {
  clock: Clock
  /** Default 8. */
  concurrency?: number
  /** Default 20 ms. */
  lingerMs?: number
}

export function functionRunner(
  run: RunFunction,
  { clock, concurrency = 8, lingerMs = 20 }: FunctionOptions,
): ClientRunner {
  return {
    concurrency,
    lingerMs,
    runStep: async (assignment, signal) => {
      const over = new AbortController()
      const late = clock.sleep(assignment.limitMs, AbortSignal.any([over.signal, signal])).then(() => null)
      const execution = run(assignment, over.signal).then(
        (reported): StepResult => stepResult('done', 0, reported),
        (thrown: unknown): StepResult => stepResult('done', 1, [], String(thrown)),
      )
      const first = await Promise.race([execution, late])
      over.abort()
      return first ?? stepResult('timeout', null, [])
    },
    close: () => Promise.resolve(),
  }
}

function stepResult(
  ended: StepResult['ended'],
  exitCode: number | null,
  reported: readonly ClientReport[],
  stderr = '',
): StepResult {
  return { ended, exitCode, reported, stdout: '', stderr }
}
