/**
 * The states of chat by what is done in them, as the table of states and transitions has it: what each request of a
 * walk may be answered with. A request has the name of its act, and of the act `InPause` while AI replies are paused.
 * What both of two rows that match exclude still fails; all else of a replay, of whatever turn, the rules judge.
 */
import type { ClauseId } from '../../../spec/index.ts'
import type { SequenceJudge } from '../../models/sequences.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { refusal, status } from '../../assertions/answer.ts'
import { isAnotherRun, noSecondRun, replayed, taken } from '../../assertions/once.ts'
import { markedAsPaused, notStored, saysStored } from '../../assertions/paused.ts'
import { field, fields, isFresh, isReplay, markedReplay, used } from '../../assertions/reply.ts'
import { accepts, asked, refusedBeside, replied } from '../../assertions/turn.ts'
import { all, every, fail, given, inconclusive, notApplicable } from '../../scenario/expect.ts'
import { sameButton, type Interaction, pressReplayed } from '../assertions/presentation.ts'
import { keyOfRequest } from '../assertions/race.ts'

interface Step {
  exchange: Exchange
  first: Exchange
  between: readonly Exchange[]
  before: readonly Exchange[]
}

/** They have no key that another request refers to. */
const bad: readonly string[] = ['empty', 'keyless']

type Holds = (step: Step) => boolean

/** Judges every request of the walk for which this holds. */
const cell =
  (holds: Holds, judge: (step: Step, context: Context) => Judgement): SequenceJudge =>
  (course, context) => {
    const byKey = new Map<string, Exchange[]>()
    const steps = course
      .map((exchange, at) => {
        const before = course.slice(0, at)
        if (bad.includes(exchange.name)) return { exchange, first: exchange, between: [], before }
        const [first = exchange, ...between] = byKey.get(keyOfRequest(exchange)) ?? []
        byKey.set(keyOfRequest(exchange), [first, ...between, ...(first === exchange ? [] : [exchange])])
        return { exchange, first, between, before }
      })
      .filter(holds)
    return steps.length > 0
      ? every(steps, (step) => judge(step, context))
      : inconclusive('no sequence had such a request')
  }

const act =
  (...names: readonly string[]): Holds =>
  ({ exchange }) =>
    names.includes(exchange.name)
const both =
  (...some: readonly Holds[]): Holds =>
  (step) =>
    some.every((holds) => holds(step))
const not =
  (holds: Holds): Holds =>
  (step) =>
    !holds(step)

type Carrier = 'body' | 'idempotency-key' | 'x-idempotency-key'

function carrierOf({ request }: Exchange): Carrier {
  const names = request.headers.map(([name]) => name.toLowerCase())
  return (['idempotency-key', 'x-idempotency-key'] as const).find((name) => names.includes(name)) ?? 'body'
}

/** A turn whose key has this carrier, or the first replay of it. */
const carries =
  (carrier: Carrier): Holds =>
  ({ exchange, first, between }) =>
    carrierOf(first) === carrier &&
    (['turn', 'streamed'].includes(exchange.name) || (exchange.name === 'again' && !between.some(isReplay)))

/** The first replay shows whether a key in a header counts at all; other expectations apply from then on. */
const counts: Holds = ({ first, between }) =>
  carrierOf(first) === 'body' || between.some((one) => one.name === 'again' && isReplay(one))

/** A conflict occurred since the key last returned a replay. */
const afterConflict: Holds = ({ between }) => {
  const last = between.findLastIndex((one) => one.name === 'again' && isReplay(one))
  return between.slice(last + 1).some(({ name }) => name === 'otherMessage')
}

const wasStored: Holds = ({ first }) => ['turnInPause', 'onwardInPause'].includes(first.name)
const wasPressed: Holds = ({ first }) => asked(first)?.['interaction'] !== undefined
const again = both(act('again'), counts, not(wasStored), not(wasPressed))

const repliedAgain = ({ first, exchange }: Step): Judgement => replayed(first, exchange)
const noRun = ({ first, exchange }: Step): Judgement => noSecondRun(first, exchange)

/** A bad request counts only if an earlier one of the walk was accepted. */
function refusedAsBad({ exchange, before }: Step): Judgement {
  const accepted = before.find((one) => ['turn', 'streamed', 'onward'].includes(one.name) && isOk(one))
  return accepted
    ? refusedBeside(accepted, exchange, 400)
    : inconclusive('nothing was accepted before the bad request')
}

const isOk = (one: Exchange): boolean => replied(one).is === 'pass'
const goesOn = ({ name }: Exchange): boolean => ['opening', 'press', 'pressStreamed'].includes(name)

/** The current buttons are known as long as no unexpected turn ran; such a turn is judged where it ran. */
function known({ before }: Step): Judgement {
  const own = ['turn', 'streamed', 'onward', 'aside', ...bad]
  const astray = before.find(
    (one) => isFresh(one) && !goesOn(one) && !own.includes(one.name) && !saysStored(fields(one)),
  )
  if (astray)
    return inconclusive(
      `\`${astray.name}\` (exchange ${astray.id}) may have run a turn of its own: 200 without the replay header`,
      markedReplay(astray),
    )
  const last = before.findLast(goesOn)
  return last ? replied(last) : inconclusive('the Workflow was not started')
}

/** A superseded button was refused since the last presentation. */
const afterStale: Holds = ({ before }) =>
  before
    .slice(before.findLastIndex(goesOn) + 1)
    .some((one) => one.name === 'stale' && status(one, 409).is === 'pass')

const accepted = (step: Step): Judgement => given(known(step), () => accepts(step.exchange))
const buttonOf = (exchange: Exchange): Interaction => asked(exchange)?.['interaction'] as Interaction

/** Ignores a warning, which the scenario with a single press reports; here it would end the walk. */
function orWeak(judged: Judgement): Judgement {
  return judged.is === 'warn' ? notApplicable(`expected ${judged.expected}, got ${judged.got}`) : judged
}

const emptyReply = (exchange: Exchange): Judgement => field(exchange, 'response', 'empty string')

/** Refused while paused, although the same button is accepted later or was before: so the pause is the reason. */
const barred =
  (judge: (press: Exchange) => Judgement): SequenceJudge =>
  (course, context) => {
    const pressed = course.filter((one) => ['press', 'pressInPause'].includes(one.name) && isOk(one))
    const confirmed: Holds = ({ exchange }) =>
      pressed.some((one) => one.id >= exchange.id && sameButton(buttonOf(one), buttonOf(exchange)))
    return cell(both(act('pressInPause'), confirmed), ({ exchange }) => judge(exchange))(course, context)
  }

const isStored = (exchange: Exchange): boolean =>
  isFresh(exchange) && saysStored(fields(exchange)) && emptyReply(exchange).is === 'pass'

/**
 * A completed key and a message sent while AI replies are paused match two rows: the message may be stored instead,
 * and its key may be completed with either result from then on. Both rows exclude a second turn and a second charge.
 */
function storedOnce({ first, between, exchange }: Step): Judgement {
  const credits = used(exchange) ?? 0
  if (isStored(exchange) && credits > 0)
    return fail('a replay, or a message stored for nothing', `\`credits_used\`: ${credits}`, exchange)
  const isKept = between.some((one) => isStored(one) && !isAnotherRun(one, exchange))
  return isStored(exchange) || isKept
    ? notApplicable('a request of before is stored anew while AI replies are paused')
    : replayed(first, exchange)
}

const isOpen: Holds = ({ between, exchange }) =>
  [...between, exchange].some((one) => one.name === 'againInPause' && isStored(one))

function storedAgain({ first, exchange }: Step): Judgement {
  if (emptyReply(first).is !== 'pass') return inconclusive('nothing was stored')
  return all(replayed(first, exchange), emptyReply(exchange))
}

const messageStored = act('turnInPause', 'onwardInPause')
const ofTurn = both(act('again', 'againInPause'), not(wasStored), not(wasPressed))
const afterPause: Holds = ({ before }) => before.some(({ name }) => name === 'turnInPause')

export const keyCells = {
  'IDEM-CARRIER-HEADER': cell(carries('idempotency-key'), takenAndKept),
  'IDEM-CARRIER-X-HEADER': cell(carries('x-idempotency-key'), takenAndKept),
  'IDEM-REPLAY-AGAIN': cell(both(again, not(afterConflict)), repliedAgain),
  'IDEM-CONFLICT-UNCHANGED': cell(both(again, afterConflict), repliedAgain),
  'IDEM-OTHER-MODE': cell(both(act('otherMode'), counts), noRun),
  'IDEM-CARRIER-ONE': cell(both(act('otherCarrier'), counts), noRun),
  'REQ-MESSAGE-EMPTY': cell(act('empty'), refusedAsBad),
  'IDEM-KEY-REQUIRED': cell(act('keyless'), refusedAsBad),
} as const satisfies Cells

function takenAndKept({ first, exchange }: Step): Judgement {
  return first === exchange ? taken(exchange) : replayed(first, exchange)
}

/** Of buttons: each walk has started a Workflow. */
export const buttonCells = {
  'FLOW-PRESS-STATUS': cell(both(act('press'), not(afterStale)), accepted),
  'FLOW-STALE-UNCHANGED': cell(both(act('press'), afterStale), accepted),
  'FLOW-PRESS-STREAM': cell(act('pressStreamed'), (step) => {
    const plain = step.before.find(({ name }) => name === 'press')
    return plain
      ? given(replied(plain), () => accepted(step))
      : inconclusive('no button was pressed without a stream')
  }),
  'FLOW-PRESS-REPLAY': cell(both(act('again'), wasPressed), ({ first, exchange }, { dialect }) =>
    orWeak(pressReplayed(first, exchange, dialect)),
  ),
  'FLOW-STALE-STATUS': cell(act('stale'), (step) => given(known(step), () => status(step.exchange, 409))),
  'FLOW-STALE-CODE': cell(act('stale'), (step) =>
    given(known(step), () => refusal(step.exchange, 409, 'WORKFLOW_INTERACTION_STALE')),
  ),
  'IDEM-OTHER-INTERACTION': cell(act('otherButton'), noRun),
} as const satisfies Cells

export const pauseCells = {
  'PAUSE-STATUS': cell(messageStored, ({ exchange }) => accepts(exchange)),
  'PAUSE-CUSTOMER-MESSAGE': cell(messageStored, ({ exchange }) =>
    given(replied(exchange), () => field(exchange, 'customer_message', 'object')),
  ),
  'PAUSE-AI-REPLY': cell(messageStored, ({ exchange }) =>
    given(replied(exchange), () => orWeak(markedAsPaused(exchange))),
  ),
  'PAUSE-RESUME': cell(both(act('turn', 'onward'), afterPause), ({ exchange }) => notStored(exchange)),
  'IDEM-REPLAY-PAUSED': cell(both(act('again', 'againInPause'), wasStored), storedAgain),
  'IDEM-REPLAY-AGAIN': cell(both(ofTurn, counts), (step) =>
    isOpen(step) ? storedOnce(step) : repliedAgain(step),
  ),
  'PAUSE-INTERACTION-STATUS': barred((press) => status(press, 409)),
  'PAUSE-INTERACTION-CODE': barred((press) => refusal(press, 409, 'AI_REPLY_PAUSED')),
} as const satisfies Cells

type Cells = Readonly<Partial<Record<ClauseId, SequenceJudge>>>
