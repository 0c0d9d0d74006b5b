/** Drawn histories of keys: requests at once that differ in little, held against the rules of one key. */
import { explore, requestsOf, type Extent } from '../../models/explore.ts'
import { overCourses } from '../../models/sequences.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { historyJudges, type HistoryClause } from '../assertions/models/history-clauses.ts'
import { chargedOnce, eachCharged } from '../assertions/models/history-charge.ts'
import { firstOf, identical, settling, stepsUpTo, walk, walkMetered, type Names } from './history-commands.ts'

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

const upTo = (longest: number, runs: number, profile: Profile) => {
  const extent: Extent = { runs, longest, beside: settling, shrinkRequests: 60 }
  return scenario({
    title: `whatever up to ${longest} requests of two keys are told, some order of events explains it`,
    exchanges: ['before[]', 'race[]', 'settled[]'],
    cost: { requests: requestsOf(extent), turns: 2 * (runs + 5) + 60 },
    profile,
    run: (t) =>
      explore(t, {
        ...extent,
        first: firstOf(longest),
        course: stepsUpTo(longest),
        repeats: 5,
        judges,
        walk: (steps) => walk(t, steps),
      }),
    judge: overCourses<Names, HistoryClause>(judges, ({ before, race, settled }) => [
      ...before,
      ...race,
      ...settled,
    ]),
  })
}

export const pairs = upTo(2, 8, 'standard')
export const fours = upTo(4, 12, 'standard')
export const tens = upTo(10, 26, 'exhaustive')

const charges = { 'IDEM-RACE-CHARGE': chargedOnce, 'CRED-BALANCE-CONCURRENT': eachCharged }
const metered: Extent = { runs: 6, longest: 4, beside: 3, shrinkRequests: 40 }

export const charged = scenario({
  title: 'what is left after a race is what was left before, less one turn of each key',
  exchanges: ['meter[]', 'race[]'],
  needs: { exclusiveCredits: true, extra: true },
  cost: { requests: requestsOf(metered), turns: requestsOf(metered) },
  run: (t) =>
    explore(t, {
      ...metered,
      first: [identical(metered.longest, 1), identical(metered.longest, 2)],
      course: stepsUpTo(metered.longest),
      repeats: 5,
      judges: charges,
      walk: (steps) => walkMetered(t, steps),
    }),
  judge: overCourses<'meter[]' | 'race[]', keyof typeof charges>(charges, ({ meter, race }) => [
    ...meter,
    ...race,
  ]),
})
