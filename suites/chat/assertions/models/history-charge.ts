/** What a race was charged: of each key one turn, and of several that ended at once every one. */
import type { CourseJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { balanced, remaining, used, wereAdded } from '../../../assertions/credits.ts'
import { broken, given, inconclusive, notApplicable, pass } from '../../../scenario/expect.ts'
import type { History } from './history-rules.ts'
import { historiesOf } from './history.ts'
import { byKey, winnerOf } from '../race.ts'

/** The turns before and after a race, by their name in the scenario: two, so that the books are seen to be right, and one. */
export const meter = 'meter'
const tolerance = 1e-6

/** More was taken than one turn of each key costs. */
export const chargedOnce: CourseJudge = (course) =>
  ofRace(course, (surplus, after) =>
    surplus > tolerance ? broken('one turn of each key charged', `${surplus} credits more`, after) : pass,
  )

/** Less was taken: a charge was lost. Only turns that run at once can lose one to another. */
export const eachCharged: CourseJudge = (course) =>
  ofRace(course, (surplus, after, keys) => {
    if (surplus < -tolerance) return broken('every turn charged', `${-surplus} credits too few`, after)
    return keys > 1 ? pass : notApplicable('only one turn ran')
  })

/** `surplus`: credits that are gone and that no turn says it used. */
function ofRace(
  course: readonly Exchange[],
  judge: (surplus: number, after: Exchange, keys: number) => Judgement,
): Judgement {
  const [control, before, after] = course.filter(({ name }) => name === meter)
  const race = course.filter(({ name }) => name !== meter)
  if (!control || !before || !after) return inconclusive('the turns around the race were not played')
  if (historiesOf(race).some(saysMore))
    return notApplicable('replays and conflicts are charged or not apart from any race')
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

function saysMore(history: History): boolean {
  return history.some(({ told }) => told !== 'ran' && told !== 'in-progress')
}
