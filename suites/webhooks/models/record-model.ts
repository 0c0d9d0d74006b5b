/**
 * Model-based test of webhook records: created, changed, removed and listed after each command, compared with a
 * model. A failing sequence is shrunk.
 */
import { overSequences } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import { recordModel } from '../assertions/management/webhook-model.ts'
import {
  mostAtOnce,
  recordStep,
  runRecordSequence,
  type RecordNames,
  type RecordStep,
} from './webhook-commands.ts'

/** Has each kind of command. */
const opening: readonly RecordStep[] = [
  { is: 'create', at: 0 },
  { is: 'create', at: 0 },
  { is: 'rename', at: 0 },
  { is: 'select', at: 1 },
  { is: 'reheader', at: 0 },
  { is: 'move', at: 0 },
  { is: 'remove', at: 1 },
  { is: 'revive', at: 0 },
  { is: 'create', at: 0 },
]

const listed = ({ creations, updates, removals, lists }: NamedExchanges<RecordNames>) => [
  ...creations,
  ...updates,
  ...removals,
  ...lists,
]

const recordScenario = (extent: Extent, profile: Profile) => {
  const size = { ...extent, each: 2, beside: mostAtOnce }
  const execution = mostRequestsOf(size)
  return scenario({
    title: `in ${extent.runs} random sequences of up to ${extent.longest} commands every webhook is listed correctly`,
    exchanges: ['creations[]', 'updates[]', 'removals[]', 'lists[]'],
    needs: { session: true },
    // Each command may create one, which the scenario removes at its end.
    cost: { requests: Math.ceil(execution * 1.5), turns: 0 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...size,
        sequence: sequences(recordStep, extent),
        first: [opening.slice(0, extent.longest)],
        run: (steps) => runRecordSequence(t, steps),
        judges: recordModel,
      }),
    judge: overSequences(recordModel, listed),
  })
}

export const some = recordScenario({ runs: 2, longest: 9, shrinkRequests: 240, confirm: 2 }, 'standard')
export const many = recordScenario({ runs: 25, longest: 12, shrinkRequests: 300, confirm: 5 }, 'exhaustive')
