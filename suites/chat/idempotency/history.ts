/** Random histories of keys: concurrent requests that differ little, compared with the rules for one key. */
import * as fc from 'fast-check'
import { runModelTest, mostRequestsOf, type Extent, sequences } from '../../models/run-model-test.ts'
import { overSequences } from '../../models/sequences.ts'
import { scenario, type ChatRequest, type Driver } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import {
  historyJudges,
  type HistoryClause,
  chargedOnce,
  eachCharged,
} from '../assertions/models/history-clauses.ts'
import { stillRunning } from '../assertions/flight.ts'
import { byKey, winnerOf } from '../assertions/race.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/**
 * Command sequences with one or two keys: some requests first, the others concurrently, then requests that settle
 * each key.
 */

/** How a request differs from the plain one with its key. */
const kinds = {
  same: ({ message, key }) => ({ message, idempotency_key: key }),
  'in the header': ({ message, key }) => carried({ message }, 'Idempotency-Key', key),
  'in the other header': ({ message, key }) => carried({ message }, 'X-Idempotency-Key', key),
  streamed: ({ message, key }) => ({ message, idempotency_key: key, stream: true }),
  'other message': ({ rival, key }) => ({ message: rival, idempotency_key: key }),
  'goes away': ({ message, key }) => ({
    message,
    idempotency_key: key,
    stream: true,
    timeouts: { abortAfterBytes: 1 },
  }),
} as const satisfies Readonly<Record<string, (slot: Slot) => ChatRequest>>
type HistoryRequestKind = keyof typeof kinds

interface Slot {
  key: string
  message: string
  rival: string
}

interface HistoryCommand {
  is: HistoryRequestKind
  /** The index of the key. */
  at: number
  when: 'at once' | 'before'
}

function carried(request: ChatRequest, header: string, key: string): ChatRequest {
  return { ...request, idempotency_key: null, headers: [[header, key]] }
}

const keys = 2

const often = <T>(times: number, value: T): readonly T[] => Array.from({ length: times }, () => value)

/** Most requests are concurrent, identical and share a key, since only those overlap. */
const historyCommand: fc.Arbitrary<HistoryCommand> = fc.record({
  is: fc.constantFrom<HistoryRequestKind>(
    ...often(5, 'same' as const),
    ...often(2, 'streamed' as const),
    'in the header',
    'in the other header',
    'other message',
    'goes away',
  ),
  at: fc.constantFrom(...often(4, 0), 1),
  when: fc.constantFrom(...often(11, 'at once' as const), 'before'),
})

/** Only identical requests, with each of the keys in turn. */
function identical(count: number, ofKeys: number): readonly HistoryCommand[] {
  return Array.from({ length: count }, (_, n) => ({ is: 'same', at: n % ofKeys, when: 'at once' }))
}

/**
 * Sequences that every run includes: two modes, two carriers, two messages or two keys at once, and an aborted
 * stream.
 */
function firstSequences(count: number): readonly (readonly HistoryCommand[])[] {
  const turns = (...kind: readonly HistoryRequestKind[]): readonly HistoryCommand[] =>
    Array.from({ length: count }, (_, n) => ({
      is: kind[n % kind.length] ?? 'same',
      at: 0,
      when: 'at once',
    }))
  return [
    turns('same', 'streamed'),
    turns('streamed', 'same'),
    turns('same', 'in the header'),
    turns('same', 'other message'),
    turns('streamed'),
    identical(count, keys),
    [{ is: 'goes away', at: 0, when: 'at once' }, ...turns('streamed').slice(1)],
  ]
}

/** An aborted turn may still run: its key is requested again after each of these pauses. */
const gaps = [0, 40, 120]

/** The requests that settle the keys, beside those of the sequence. */
const settling = keys * (gaps.length + 1)

function sequencesUpTo(longest: number): fc.Arbitrary<readonly HistoryCommand[]> {
  return sequences(historyCommand, { shortest: 2, longest })
}

type HistoryExchanges = 'before[]' | 'race[]' | 'settled[]'
type HistoryDriver = Pick<
  Driver<HistoryExchanges>,
  'add' | 'together' | 'resendTo' | 'pause' | 'text' | 'key'
>

function freshSlots(t: Pick<Driver, 'key' | 'text'>): readonly Slot[] {
  return Array.from({ length: keys }, () => ({ key: t.key(), message: t.text(40), rival: t.text(52) }))
}

/** Runs the sequence with fresh keys and new conversations. */
async function runHistorySequence(t: HistoryDriver, steps: readonly HistoryCommand[]): Promise<void> {
  const slots = freshSlots(t)
  const requests = (when: HistoryCommand['when']): readonly ChatRequest[] =>
    steps
      .filter((one) => one.when === when)
      .flatMap(({ is, at }) => {
        const slot = slots[at % keys]
        return slot ? [kinds[is](slot)] : []
      })
  const before: Exchange[] = []
  for (const request of requests('before')) before.push(await t.add('before', request))
  const race = await t.together('race', requests('at once'))
  for (const same of byKey([...before, ...race])) await settle(t, same)
}

/**
 * Sends the request that ran, else the first, again until its turn is over; then one with another message, if there
 * was one.
 */
async function settle(t: HistoryDriver, same: readonly Exchange[]): Promise<void> {
  const asks = winnerOf(same) ?? same[0]
  if (!asks) return
  const unknown = same.some(({ failure }) => failure !== null)
  for (const gap of unknown ? gaps : gaps.slice(0, 1)) {
    if (gap > 0) await t.pause(gap)
    if (!stillRunning(await t.resendTo('settled', asks))) break
  }
  const rival = same.find((one) => asked(one)?.['message'] !== asked(asks)?.['message'])
  if (rival) await t.resendTo('settled', rival)
}

/** Identical concurrent requests between other turns: only the race can be charged incorrectly. */
async function runMeteredSequence(
  t: Pick<Driver<'race[]' | 'meter[]'>, 'add' | 'together' | 'text' | 'key'>,
  steps: readonly HistoryCommand[],
): Promise<void> {
  const slots = freshSlots(t)
  const turn = (): Promise<Exchange> => t.add('meter', { message: t.text(40) })
  await turn()
  await turn()
  await t.together(
    'race',
    steps.flatMap(({ at }) => slots[at % keys] ?? []).map((slot) => kinds.same(slot)),
  )
  await turn()
}

const judges = historyJudges(
  'IDEM-RACE-ONE-RUN',
  'IDEM-RACE-OTHERS',
  'IDEM-RACE-STREAM',
  'IDEM-RACE-CARRIERS',
  'IDEM-RACE-KEYS',
  'IDEM-OTHER-MODE',
  'IDEM-IN-FLIGHT-OVERLAP',
  'IDEM-REPLAY-AT-ONCE',
  'IDEM-REPLAY-RESPONSE',
  'IDEM-REPLAY-CONVERSATION',
  'IDEM-STREAM-REPLAY-RESPONSE',
  'IDEM-STREAM-REPLAY-CONVERSATION',
  'IDEM-CONFLICT-STATUS',
  'IDEM-CONFLICT-UNCHANGED',
  'IDEM-ABORT-ONE-RUN',
)

const historyScenario = (longest: number, runs: number, profile: Profile) => {
  const extent: Extent = { runs, longest, beside: settling, shrinkRequests: 60 }
  return scenario({
    title: `responses to up to ${longest} concurrent requests of two keys are consistent with some order`,
    exchanges: ['before[]', 'race[]', 'settled[]'],
    cost: { requests: mostRequestsOf(extent), turns: 2 * (runs + 5) + 60 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...extent,
        first: firstSequences(longest),
        sequence: sequencesUpTo(longest),
        repeats: 5,
        judges,
        run: (steps) => runHistorySequence(t, steps),
      }),
    judge: overSequences<HistoryExchanges, HistoryClause>(judges, ({ before, race, settled }) => [
      ...before,
      ...race,
      ...settled,
    ]),
  })
}

export const pairs = historyScenario(2, 8, 'standard')
export const fours = historyScenario(4, 12, 'exhaustive')

const charges = { 'IDEM-RACE-CHARGE': chargedOnce, 'CRED-BALANCE-CONCURRENT': eachCharged }
const metered: Extent = { runs: 3, longest: 4, beside: 3, shrinkRequests: 40 }

export const charged = scenario({
  title: 'a race costs exactly one turn of each key',
  exchanges: ['meter[]', 'race[]'],
  needs: { exclusiveCredits: true, extra: true },
  cost: { requests: mostRequestsOf(metered), turns: mostRequestsOf(metered) },
  run: (t) =>
    runModelTest(t, {
      ...metered,
      first: [identical(metered.longest, 1), identical(metered.longest, 2)],
      sequence: sequencesUpTo(metered.longest),
      repeats: 5,
      judges: charges,
      run: (steps) => runMeteredSequence(t, steps),
    }),
  judge: overSequences<'meter[]' | 'race[]', keyof typeof charges>(charges, ({ meter, race }) => [
    ...meter,
    ...race,
  ]),
})
