/** Concurrent requests with one key. A race without an overlap is inconclusive, never a pass. */
import { scenario, type ChatRequest, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { replayed } from '../../assertions/once.ts'
import { asked } from '../../assertions/turn.ts'
import { every, given, inconclusive } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import {
  oneRun,
  otherMessageConflicts,
  otherMessageRefused,
  othersWaitOrReplay,
  progressOnlyWhileRunning,
  replayAfterReply,
  replaysEqual,
  winnerOf,
} from '../assertions/race.ts'

const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one)

const raceScenario = (count: number, profile: Profile) =>
  scenario({
    title: `of ${count} identical concurrent requests exactly one runs`,
    exchanges: ['race[]', 'after'],
    cost: { requests: count + 1, turns: 1 },
    profile,
    async run(t) {
      const request = { message: t.text(40), idempotency_key: t.key() }
      await t.together('race', times(count, request))
      await t.chat('after', request)
    },
    judge: {
      'IDEM-RACE-ONE-RUN': ({ race, after }) => oneRun([...race, after]),
      'IDEM-RACE-OTHERS': ({ race }) => othersWaitOrReplay(race),
      'IDEM-IN-FLIGHT-OVERLAP': ({ race, after }) => progressOnlyWhileRunning([...race, after]),
      'IDEM-REPLAY-AT-ONCE': ({ race, after }) => replayAfterReply([...race, after]),
      'IDEM-REPLAY-RESPONSE': ({ race, after }) => replaysEqual([...race, after], 'response'),
      'IDEM-REPLAY-CONVERSATION': ({ race, after }) => replaysEqual([...race, after], 'conversation_id'),
    },
  })

export const four = raceScenario(4, 'smoke')
export const forty = raceScenario(40, 'exhaustive')

type Kind = 'streams' | 'carriers' | 'modes' | 'messages'

/** Each request `wide` times at once, and then some of them alone. */
async function raceOf(
  t: Driver<`${Kind}[]`>,
  kind: Kind,
  wide: number,
  requests: readonly ChatRequest[],
  after = requests,
): Promise<void> {
  await t.together(kind, times(wide, requests).flat())
  for (const request of after) await t.add(kind, request)
}

const kindsScenario = (wide: number, profile: Profile) =>
  scenario({
    title: `of concurrent requests with one key, ${wide} of each kind, exactly one runs, however they differ`,
    exchanges: ['streams[]', 'carriers[]', 'modes[]', 'messages[]'],
    cost: { requests: 9 * wide + 6, turns: 4 },
    profile,
    async run(t) {
      const fresh = () => ({ message: t.text(40), idempotency_key: t.key() })
      const inHeader = (
        { message, idempotency_key }: ReturnType<typeof fresh>,
        name: string,
      ): ChatRequest => ({
        message,
        idempotency_key: null,
        headers: [[name, idempotency_key]],
      })
      await raceOf(t, 'streams', 2 * wide, [{ ...fresh(), stream: true }])
      const carried = fresh()
      const headers = ['Idempotency-Key', 'X-Idempotency-Key'].map((name) => inHeader(carried, name))
      await raceOf(t, 'carriers', wide, [carried, ...headers], [carried])
      const one = fresh()
      await raceOf(t, 'modes', wide, [one, { ...one, stream: true }])
      const first = fresh()
      const other = { ...first, message: t.text(52) }
      // The first one wins as a rule: it is replayed after a conflict, too.
      await raceOf(t, 'messages', wide, [first, other], [other, first])
    },
    judge: {
      'IDEM-RACE-STREAM': ({ streams }) => oneRun(streams),
      'IDEM-STREAM-REPLAY-RESPONSE': ({ streams }) => replaysEqual(streams, 'response'),
      'IDEM-STREAM-REPLAY-CONVERSATION': ({ streams }) => replaysEqual(streams, 'conversation_id'),
      'IDEM-RACE-CARRIERS': ({ carriers }) => oneRun(carriers),
      'IDEM-OTHER-MODE': ({ modes }) =>
        winnerOf(modes) ? oneRun(modes) : inconclusive('no turn was seen to run'),
      'IDEM-CONFLICT-STATUS': ({ messages }) => otherMessageRefused(messages),
      'IDEM-CONFLICT-CODE': ({ messages }) => otherMessageConflicts(messages),
      'IDEM-CONFLICT-UNCHANGED': ({ messages }) =>
        given(otherMessageRefused(messages), () => winnerReplayed(messages)),
    },
  })

export const kinds = kindsScenario(2, 'standard')
export const manyKinds = kindsScenario(6, 'exhaustive')

/** After a race of two messages, that of the turn that ran. */
function winnerReplayed(messages: readonly Exchange[]): Judgement {
  const winner = winnerOf(messages)
  if (!winner) return inconclusive('no turn was seen to run')
  const later = messages.filter(
    (one) => one.sentAt > winner.endedAt && asked(one)?.['message'] === asked(winner)?.['message'],
  )
  return every(later, (one) => replayed(winner, one))
}
