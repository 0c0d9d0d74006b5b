/** Random histories of keys: concurrent requests that differ little, compared with the rules for one key. */
import { runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { overSequences } from '../../models/sequences.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { historyJudges, type HistoryClause } from '../assertions/models/history-clauses.ts'
import { chargedOnce, eachCharged } from '../assertions/models/history-charge.ts'
import {
  firstSequences,
  identical,
  settling,
  sequencesUpTo,
  runHistorySequence,
  runMeteredSequence,
  type HistoryExchanges,
} from './history-commands.ts'

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
export const tens = historyScenario(10, 26, 'exhaustive')

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
