/** From what a turn came to, to an answer. */
import type { Call } from '../server/call.ts'
import { jsonReply, type ReplyInfo, type EventSource, type HeaderLine, type Reply } from '../server/reply.ts'
import { Crashed } from '../tenant/clock/barriers.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { CompletedKey } from './claim.ts'
import { drive } from './drive.ts'
import { finishedLog } from './event-log.ts'
import { doneEvent, finalFields } from './fields.ts'
import { errorBody, isChatRefusal, type ChatRefusal } from './refusal.ts'
import { crash, followClient, turnSteps, type TurnRun } from './run.ts'
import type { TurnRequest, TurnReply } from './turn.ts'

/** One call on its way through the handler; headers and `about` grow as more is known. */
export interface ChatVisit {
  readonly state: TenantState
  readonly call: Call
  headers: readonly HeaderLine[]
  about: ReplyInfo
}

export function refusedReply({ state, headers, about }: ChatVisit, refusal: ChatRefusal): Reply {
  const body = errorBody(refusal, state.rules)
  return jsonReply(refusal.status, body, { ...about, code: refusal.refused }, headers)
}

const noCache: HeaderLine = ['Cache-Control', 'no-cache']

function stream({ headers }: ChatVisit, events: EventSource, about: ReplyInfo): Reply {
  return { kind: 'stream', status: 200, headers: [...headers, noCache], events, about }
}

/** Runs a turn and answers in the form that was asked for. */
export function perform(visit: ChatVisit, run: TurnRun): Reply | Promise<Reply> {
  followClient(run, visit.call)
  const outcome = drive(visit.state, turnSteps(run))
  const about: ReplyInfo = run.plan.stored ? { ...visit.about, paused: true } : visit.about
  if (!run.asked.request.stream) return replyOf(visit, run, about, outcome)
  if (outcome instanceof Promise) outcome.catch((reason: Error) => crash(run, reason))
  return stream(visit, run.log, about)
}

function replyOf(
  visit: ChatVisit,
  run: TurnRun,
  about: ReplyInfo,
  outcome: ReturnType<typeof drive<TurnReply | ChatRefusal>>,
): Reply | Promise<Reply> {
  const finish = (result: TurnReply | ChatRefusal): Reply =>
    isChatRefusal(result)
      ? refusedReply(visit, result)
      : jsonReply(
          200,
          finalFields(result, visit.state.rules),
          { ...about, duplicates: run.record.duplicates },
          visit.headers,
        )
  if (!(outcome instanceof Promise)) return finish(outcome)
  return outcome.then(finish, (reason: Error): Reply => {
    crash(run, reason)
    if (reason instanceof Crashed) return { kind: 'drop', about }
    throw reason
  })
}

/** Answers from the record of a completed key. */
export function replayedReply(
  visit: ChatVisit,
  asked: TurnRequest,
  { record, reply: original }: CompletedKey,
): Reply {
  const { rules, accounts } = visit.state
  const account = accounts.get(asked.apiKey.account)
  const debit = rules.replayDebit(original, record)
  if (account) account.balance -= debit
  const reply = rules.replayReply(original, account?.balance ?? 0, record)
  const about: ReplyInfo = {
    ...visit.about,
    replay: true,
    original: record.streamed ? 'stream' : 'json',
    replays: record.replays++,
    duplicates: record.duplicates,
    ...(original.customerMessage && { paused: true }),
  }
  const answered: ChatVisit = { ...visit, headers: [...visit.headers, ...rules.replayHeaders] }
  if (!rules.replayAsStream(asked.request.stream, record.streamed))
    return jsonReply(200, finalFields(reply, rules), about, answered.headers)
  const events = record.state.is === 'completed' ? record.state.events : []
  return stream(answered, finishedLog(rules.replayEvents(record, doneEvent(reply, rules), events)), about)
}
