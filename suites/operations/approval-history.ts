/**
 * Sampled sequences over two held operations: asked for again, read and waited for in any order, one approved and
 * the other rejected. Held against a model of how often the operation may have been done by each step.
 */
import * as fc from 'fast-check'
import type { Player } from '../engine/player.ts'
import { scenario, type Profile } from '../engine/scenario.ts'
import { nothingAfterRejection, nothingBefore, onceApproved, over } from '../judge/approval-history.ts'
import { costOf, walkHeld, type Script } from './approval-way.ts'

const steps = fc.tuple(fc.constantFrom('again', 'again', 'read', 'wait'), fc.nat(1))

/** As many drawn steps before the first decision, between the two and after both. */
function script({ pick }: Pick<Player, 'pick'>, length: number): Script {
  const draw = (): Script => fc.sample(steps, { seed: pick(2 ** 31), numRuns: length })
  const yes = pick(2)
  const no = 1 - yes
  const approval: Script = [
    ['approve', yes],
    ['again', yes],
    ['settle', yes],
  ]
  const decisions: readonly Script[] = [approval, [['reject', no]]]
  const [one = [], two = []] = pick(2) === 0 ? decisions : decisions.toReversed()
  return [
    ['ask', 0],
    ['ask', 1],
    ...draw(),
    ...one,
    ...draw(),
    ...two,
    ...draw(),
    ['again', no],
    ['wait', no],
  ]
}

const history = (length: number, profile: Profile) =>
  scenario({
    title: `in ${3 * length} drawn steps over two held operations only what is approved is done, and once`,
    exchanges: ['receipts[]', 'reads[]', 'effect[]', 'tasks[]', 'last'],
    needs: { operation: { receipt: 'pending_approval', write: true, effect: true } },
    cost: { requests: costOf(script({ pick: () => 0 }, length)), turns: 0 },
    profile,
    play: (t) => walkHeld(t, script(t, length)),
    judge: {
      'APPR-HELD': (story, context) => over(story, context, nothingBefore),
      'APPR-APPROVED': (story, context) => over(story, context, onceApproved),
      'APPR-REJECTED': (story, context) => over(story, context, nothingAfterRejection),
    },
  })

export const drawn = history(5, 'standard')
export const long = history(20, 'exhaustive')
