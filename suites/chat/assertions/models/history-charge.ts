/** Judges the charge of a race: one turn for each key, and every turn if several end at once. */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { balanced, remaining, used, wereAdded } from '../../../assertions/reply.ts'
import { fail, given, inconclusive, notApplicable, pass } from '../../../scenario/expect.ts'
import type { KeyHistory } from './history-rules.ts'
import { historiesOf } from './history.ts'
import { byKey, winnerOf } from '../race.ts'

/** Name of the turns around a race in the scenario: two before it, to show that balances add up, and one after. */
export const meter = 'meter'
const tolerance = 1e-6

/** More was charged than one turn for each key. */
export const chargedOnce: SequenceJudge = (course) =>
  ofRace(course, (surplus, after) =>
    surplus > tolerance ? fail('one turn of each key charged', `${surplus} credits more`, after) : pass,
  )

/** Less was charged. Only concurrent turns can lose a charge. */
export const eachCharged: SequenceJudge = (course) =>
  ofRace(course, (surplus, after, keys) => {
    if (surplus < -tolerance) return fail('every turn charged', `${-surplus} credits too few`, after)
    return keys > 1 ? pass : notApplicable('only one turn ran')
  })

/** `surplus`: credits that are missing although no turn reports them as used. */
function ofRace(
  course: readonly Exchange[],
  judge: (surplus: number, after: Exchange, keys: number) => Judgement,
): Judgement {
  const [control, before, after] = course.filter(({ name }) => name === meter)
  const race = course.filter(({ name }) => name !== meter)
  if (!control || !before || !after) return inconclusive('the turns around the race did not run')
  if (historiesOf(race).some(saysMore))
    return notApplicable('other checks judge whether replays and conflicts are charged')
  return given(balanced(control, before), () => {
    const keys = byKey(race)
    const spent = [...keys.map((same) => usedBy(winnerOf(same))), used(after)]
    const [start, end] = [remaining(before), remaining(after)]
    if (start === null || end === null || spent.includes(null))
      return inconclusive('a turn was not seen to run, or has no number for its credits')
    const expected = spent.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)
    if (wereAdded(start, end, expected)) return inconclusive('credits were added meanwhile')
    return judge(Math.round((start - end - expected) * 1e6) / 1e6, after, keys.length)
  })
}

const usedBy = (winner: Exchange | null): number | null => (winner ? used(winner) : null)

function saysMore(history: KeyHistory): boolean {
  return history.some(({ outcome }) => outcome !== 'ran' && outcome !== 'in-progress')
}
