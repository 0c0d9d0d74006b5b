/**
 * Walks through the states of chat: acts in any order, on turns, buttons and pauses of before, each judged by the cell
 * that it is in (cells.ts). A new act is a line. A failing walk is shrunk.
 */
import * as fc from 'fast-check'
import type { ClauseId } from '../../../spec/index.ts'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type ChatRequest, type Driver, type Needs } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { conversationOf, replied } from '../../assertions/turn.ts'
import { buttonsOf, sameButton, type Interaction } from '../assertions/presentation.ts'
import { flowOf, pauseHere } from '../turns/workflow-steps.ts'
import { buttonCells, keyCells, pauseCells } from './cells.ts'

/** What is sent, with the place of its key. */
interface Sent {
  request: ChatRequest
  carrier: number
}

interface Turn extends Sent {
  exchange: Exchange
}

interface Course {
  turns: Turn[]
  /** In which the Workflow is, if there is one. */
  conversation: string
  current: readonly Interaction[]
  superseded: readonly Interaction[]
  isPaused: boolean
}

type Source = Pick<Driver, 'key' | 'text' | 'message'>
/** `at` is an index, modulo the number of choices. Null where there is nothing to act on. */
type Act = (course: Course, at: number, source: Source) => (Sent & Partial<Turn>) | null

const carriers = ['body', 'Idempotency-Key', 'X-Idempotency-Key'] as const

function carried({ headers: _before, ...request }: ChatRequest, key: string, at: number): Sent {
  const carrier = at % carriers.length
  const header = carriers[carrier] ?? 'body'
  return {
    carrier,
    request:
      header === 'body'
        ? { ...request, idempotency_key: key }
        : { ...request, idempotency_key: null, headers: [[header, key]] },
  }
}

const keyOf = ({ idempotency_key: inBody, headers = [] }: ChatRequest): string =>
  typeof inBody === 'string' ? inBody : (headers[0]?.[1] ?? '')

function pick<T>(some: readonly T[], at: number): T | null {
  return some[at % some.length] ?? null
}

const fresh = ({ key, text }: Source, carrier: number, more: ChatRequest = {}): Sent =>
  carried({ message: text(40), ...more }, key(), carrier)

const ofTurn =
  (change: (turn: Turn, source: Source) => Sent & Partial<Turn>): Act =>
  ({ turns }, at, source) => {
    const turn = pick(turns, at)
    return turn && change(turn, source)
  }

const pressing =
  (of: 'current' | 'superseded', more: ChatRequest = {}): Act =>
  (course, at, source) => {
    const interaction = pick(course[of], at)
    const { conversation: conversation_id } = course
    return (
      interaction && fresh(source, 0, { message: source.text(24), conversation_id, interaction, ...more })
    )
  }

/** By the names of their exchanges, which the cells go by. */
const acts = {
  turn: (_, at, source) => fresh(source, at),
  streamed: (_, at, source) => fresh(source, at, { stream: true }),
  onward: ({ turns }, at, source) => {
    const id = turns.length === 0 ? null : conversationOf(turns[at % turns.length]?.exchange as Exchange)
    return id === null ? null : fresh(source, 0, { conversation_id: id })
  },
  again: ofTurn((turn) => turn),
  otherMessage: ofTurn(({ request: { stream: _form, ...request }, carrier }, { text }) => ({
    request: { ...request, message: text(60) },
    carrier,
  })),
  otherMode: ofTurn(({ request, carrier }) => ({
    request: { ...request, stream: request.stream !== true },
    carrier,
  })),
  otherCarrier: ofTurn(({ request, carrier }) => carried(request, keyOf(request), carrier + 1)),
  empty: (_course, _at, source) => fresh(source, 0, { message: '' }),
  keyless: (_course, _at, { text }) => ({
    request: { message: text(40), idempotency_key: null },
    carrier: 0,
  }),
  press: pressing('current'),
  pressStreamed: pressing('current', { stream: true }),
  stale: pressing('superseded'),
  /** The same Workflow, in a conversation of its own. */
  aside: (_course, at, source) => fresh(source, at, { message: source.message }),
  otherButton: ({ turns, current }, at) => {
    const turn = pick(
      turns.filter(({ request }) => request.interaction !== undefined),
      at,
    )
    const interaction = pick(current, at)
    return turn && interaction && { request: { ...turn.request, interaction }, carrier: turn.carrier }
  },
} as const satisfies Readonly<Record<string, Act>>
type ActName = keyof typeof acts
const actNames = Object.keys(acts) as readonly ActName[]

/** They use a key for the first time. */
const begins: readonly ActName[] = ['turn', 'streamed', 'onward', 'press', 'pressStreamed']
const presses: readonly ActName[] = ['press', 'pressStreamed']

type Name = 'opening' | ActName | `${ActName}InPause`
type Names = `${Name}[]`
const names: readonly Name[] = [
  'opening',
  ...actNames.flatMap((name): readonly Name[] => [name, `${name}InPause`]),
]

interface Step {
  is: ActName | 'switch'
  at: number
}

async function opened(t: Driver<Names>, isFlow: boolean): Promise<Course> {
  const none = { turns: [], conversation: '', current: [], superseded: [], isPaused: false }
  if (!isFlow) return none
  const request = { message: t.message, idempotency_key: t.key() }
  const exchange = await t.add('opening', request)
  const { conversation_id: conversation, buttons: current } = flowOf(t, exchange)
  return { ...none, turns: [{ request, carrier: 0, exchange }], conversation, current }
}

async function runWalk(t: Driver<Names>, steps: readonly Step[], isFlow: boolean): Promise<void> {
  const course = await opened(t, isFlow)
  for (const { is, at } of steps) {
    if (is === 'switch') {
      await (course.isPaused ? t.leave('chat.paused') : pauseHere(t))
      course.isPaused = !course.isPaused
      continue
    }
    const sent: (Sent & Partial<Turn>) | null = acts[is](course, at, t)
    if (!sent) continue
    const name = course.isPaused ? (`${is}InPause` as const) : is
    const exchange = await (sent.exchange ? t.resendTo(name, sent.exchange) : t.add(name, sent.request))
    if (begins.includes(is)) course.turns.push({ ...sent, exchange })
    if (presses.includes(is) && replied(exchange).is === 'pass') goOn(course, buttonsOf(exchange, t.dialect))
  }
  if (course.isPaused) await t.leave('chat.paused')
}

/** If the reply has no buttons, it is not shown whether the previous ones stay current: they are no longer used. */
function goOn(course: Course, next: readonly Interaction[]): void {
  const isOffered = (button: Interaction): boolean => next.some((one) => sameButton(one, button))
  const before = next.length > 0 ? [...course.superseded, ...course.current] : course.superseded
  course.superseded = before.filter((button) => !isOffered(button))
  course.current = next
}

/** Such as `turn again-1`, each act with its index. */
const walk = (steps: string): readonly Step[] =>
  steps.split(' ').map((step) => {
    const [is, at = '0'] = step.split('-')
    return { is: is as Step['is'], at: Number(at) }
  })

interface Kind {
  title: string
  needs?: Needs
  judges: Readonly<Partial<Record<ClauseId, SequenceJudge>>>
  /** Drawn for random walks; the more often, the likelier. */
  acts: readonly Step['is'][]
  /** They come first, and together have each act in the orders that show most. */
  first: readonly string[]
}

const ofKeys: Kind = {
  title: 'every key is in the expected state',
  judges: keyCells,
  // Replays are most frequent, since most faults of a record are detected by them.
  acts: [
    ...([
      'turn',
      'turn',
      'turn',
      'streamed',
      'streamed',
      'onward',
      'again',
      'again',
      'again',
      'again',
    ] as const),
    ...(['otherMode', 'otherMode', 'otherMessage', 'otherCarrier', 'empty', 'keyless'] as const),
  ],
  first: [
    'turn again otherMessage again otherMode empty again otherCarrier again turn-1 again-1 turn-2 again-2',
    // A window over the last turns of a conversation is short.
    'streamed again otherMode keyless turn onward-1 onward-1 onward-1 onward-1 onward-1 onward-1 again-1 onward',
  ],
}

const ofButtons: Kind = {
  title: 'exactly the current buttons work',
  needs: { states: ['workflow.current'] },
  judges: buttonCells,
  acts: ['press', 'press', 'pressStreamed', 'again', 'again', 'stale', 'otherButton', 'aside'],
  first: ['press again stale aside press', 'press-1 otherButton pressStreamed-2 again-2 stale'],
}

const ofPauses: Kind = {
  title: 'what was answered before a pause, and stored in it, stays as it was',
  needs: { states: ['workflow.current'], extra: true },
  judges: pauseCells,
  acts: ['switch', 'switch', 'turn', 'turn', 'onward', 'again', 'again', 'press'],
  first: [
    'turn switch again-1 turn onward-1 onward-2 again-3 press switch again-2 onward-2 again-4 press turn',
  ],
}

const walks = (kind: Kind, extent: Extent, profile: Profile) => {
  const { title, needs, judges, first } = kind
  const isFlow = needs !== undefined
  const size = { ...extent, beside: isFlow ? 1 : 0 }
  const step: fc.Arbitrary<Step> = fc.record({ is: fc.constantFrom(...kind.acts), at: fc.nat(5) })
  return scenario({
    title: `in ${extent.runs} walks of up to ${extent.longest} acts ${title}`,
    exchanges: names.map((name): Names => `${name}[]`),
    ...(needs && { needs }),
    cost: { requests: mostRequestsOf(size), turns: mostRequestsOf(size), inOneGo: 1 },
    profile,
    run(t) {
      // A manual state provider is asked once, not for each pause.
      const byHand = kind === ofPauses && t.providerOf('chat.paused') === 'manual'
      return runModelTest(t, {
        ...size,
        ...(byHand ? { runs: 1, shrinkRequests: 0, confirm: 0 } : {}),
        sequence: sequences(step, extent),
        first: first.map((steps) => walk(steps).slice(0, extent.longest)).slice(0, extent.runs),
        run: (steps) => runWalk(t, steps, isFlow),
        judges,
      })
    },
    judge: overSequences<Names, ClauseId>(judges as Readonly<Record<ClauseId, SequenceJudge>>, (named) =>
      names.flatMap((name) => named[name]),
    ),
  })
}

export const someKeys = walks(ofKeys, { runs: 2, longest: 13, shrinkRequests: 40, confirm: 2 }, 'standard')
export const manyKeys = walks(ofKeys, { runs: 60, longest: 16, shrinkRequests: 120 }, 'exhaustive')
export const buttonPresses = walks(
  ofButtons,
  { runs: 2, longest: 6, shrinkRequests: 40, confirm: 2 },
  'standard',
)
export const manyButtonPresses = walks(
  ofButtons,
  { runs: 40, longest: 10, shrinkRequests: 120 },
  'exhaustive',
)
export const pauses = walks(ofPauses, { runs: 1, longest: 14, shrinkRequests: 60, confirm: 2 }, 'standard')
export const manyPauses = walks(ofPauses, { runs: 30, longest: 14, shrinkRequests: 120 }, 'exhaustive')
