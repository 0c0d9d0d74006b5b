/** Model-based test of charges: between two turns that ran, nothing else was charged. */
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import {
  commandNames,
  chatModelCommand,
  runChatSequence,
  type CommandName,
  type ChatCommand,
} from './chat-commands.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { codesOf, statusOf } from '../../assertions/answer.ts'
import { sequenceRequestsOf, type SequenceRequest } from '../assertions/models/model-requests.ts'
import { every, given, inconclusive } from '../../scenario/expect.ts'
import { isFresh, isReplay, balanced } from '../../assertions/reply.ts'
import { asked } from '../../assertions/turn.ts'

/**
 * Judges the charges of a command sequence: whatever is between two consecutive turns that ran is free. The broken
 * clause is known only if all of it is of one kind.
 */

type Kind = 'replay' | 'replay of a stream' | 'conflict' | 'refusal' | 'unknown'

const wantsStream = (exchange: Exchange): boolean => asked(exchange)?.['stream'] === true
const isStreamed = ({ exchange }: SequenceRequest): boolean => wantsStream(exchange)

function kindOf({ exchange, first }: SequenceRequest): Kind {
  // A request that was sent twice may have run the first time, and be both replayed and charged.
  if (exchange.resent === true) return 'unknown'
  if (isReplay(exchange)) return wantsStream(first) ? 'replay of a stream' : 'replay'
  const status = statusOf(exchange)
  if (status === 409 && codesOf(exchange).includes('IDEMPOTENCY_CONFLICT')) return 'conflict'
  return status >= 400 && status < 500 && status !== 429 ? 'refusal' : 'unknown'
}

/** Two consecutive turns that ran, and the requests between them. */
interface Gap {
  from: SequenceRequest
  to: SequenceRequest
  between: readonly SequenceRequest[]
}

function gapsOf(steps: readonly SequenceRequest[]): readonly Gap[] {
  const ran = steps.flatMap(({ exchange }, at) => (isFresh(exchange) ? [at] : []))
  return ran.slice(1).flatMap((at, index) => {
    const [from, to] = [steps[ran[index] ?? 0], steps[at]]
    return from && to ? [{ from, to, between: steps.slice((ran[index] ?? 0) + 1, at) }] : []
  })
}

const balance = ({ from, to }: Gap): Judgement => balanced(from.exchange, to.exchange)

/**
 * Compared with two turns with nothing between them: an error in every balance is not judged here, nor is one of a
 * streamed turn, unless such a pair ends with it.
 */
const free =
  (...kinds: readonly Kind[]): SequenceJudge =>
  (course) => {
    const gaps = gapsOf(sequenceRequestsOf(course))
    const plain = gaps.filter(({ between }) => between.length === 0)
    const wanted = gaps.filter(
      ({ from, to, between }) =>
        between.length > 0 &&
        between.every((step) => kinds.includes(kindOf(step))) &&
        !isStreamed(to) &&
        (!isStreamed(from) || plain.some((gap) => gap.to === from)),
    )
    if (wanted.length === 0) return inconclusive('no sequence had only such requests between two turns')
    return given(every(plain, balance), () => every(wanted, balance))
  }

const creditsModel = {
  'IDEM-REPLAY-FREE': free('replay'),
  'IDEM-STREAM-REPLAY-FREE': free('replay of a stream'),
  'IDEM-CONFLICT-FREE': free('conflict'),
  'CRED-REFUSAL-FREE': free('refusal'),
} as const satisfies Readonly<Record<string, SequenceJudge>>

const lists = commandNames.map((name): `${CommandName}[]` => `${name}[]`)

const plain: ChatCommand = { is: 'turn', at: 0 }
/** Two consecutive turns show how the balance changes; the last one shows what was charged before it. */
const around = (steps: readonly ChatCommand[]): readonly ChatCommand[] => [plain, plain, ...steps, plain]

/** Has each kind of free command, each between two turns. */
const opening: readonly ChatCommand[] = (
  [
    ['again', 0],
    ['turn', 0],
    ['otherMessage', 0],
    ['turn', 0],
    ['streamed', 0],
    ['again', 4],
    ['turn', 0],
    ['empty', 0],
    ['keyless', 0],
  ] as const
).map(([is, at]) => ({ is, at }))

const modelScenario = (extent: Extent, profile: Profile) =>
  scenario({
    title: `in ${extent.runs} random sequences of up to ${extent.longest} requests only turns are charged`,
    exchanges: lists,
    needs: { exclusiveCredits: true },
    cost: { requests: mostRequestsOf(extent), turns: mostRequestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...extent,
        sequence: sequences(chatModelCommand, extent),
        first: [opening],
        run: (steps) => runChatSequence(t, around(steps)),
        judges: creditsModel,
      }),
    judge: overSequences<`${CommandName}[]`, keyof typeof creditsModel>(creditsModel, (scenario) =>
      commandNames.flatMap((name) => scenario[name]),
    ),
  })

export const some = modelScenario(
  { runs: 4, longest: 9, beside: 3, shrinkRequests: 60, confirm: 2 },
  'standard',
)
export const many = modelScenario(
  { runs: 40, longest: 9, beside: 3, shrinkRequests: 150, confirm: 5 },
  'exhaustive',
)
