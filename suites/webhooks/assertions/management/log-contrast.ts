/** Compares the log of a delivery that succeeded with that of one that failed. */
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Dialect } from '../../../config/dialect.ts'
import { attemptsIn } from '../deliveries.ts'
import { check, given, inconclusive, pass } from '../../../scenario/expect.ts'
import { entriesOfArrived, hasList, unsure, type Logged } from './log-entry.ts'
import { declaredLeaves, leavesOf, numberOf, type LogEntry, type Leaf, type LogMember } from './log-list.ts'

/** A boolean or a word with one value for the success and another for the failure. */
export function distinguishesSuccess(succeeded: Logged, failed: Logged): Judgement {
  return bothLogged(succeeded, failed, (ours, theirs) => {
    const { dialect } = succeeded
    if (dialect.log?.success !== undefined) {
      const [good, bad] = [
        declaredValues(ours, 'success', dialect),
        declaredValues(theirs, 'success', dialect),
      ]
      const got = `${good.join(', ')} where it succeeded, ${bad.join(', ')} where it failed`
      const holds = !good.some((one) => bad.includes(one))
      return check(holds, 'one thing for success and another for failure', got, failed.log)
    }
    const paths = pathsOf(ours).filter((path) => {
      const [good, bad] = [valuesAt(ours, path), valuesAt(theirs, path)]
      return [...good, ...bad].every(isVerdict) && !good.some((one) => bad.includes(one)) && bad.length > 0
    })
    return paths.length > 0 ? pass : unsure('success')
  })
}

const isVerdict = (value: Leaf['value']): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^[a-z][a-z _-]{1,30}$/i.test(value))

/** Two or three, depending on whether the first attempt counts, and fewer if the first attempt succeeded. */
export function countsRetries(succeeded: Logged, failed: Logged): Judgement {
  if (attemptsIn(failed.arrived).length < 3)
    return inconclusive('the failed delivery was not tried three times')
  return bothLogged(succeeded, failed, (ours, theirs) => {
    const { dialect } = succeeded
    // A delivery that was accepted may have been duplicated.
    const fewMost = Math.max(1, attemptsIn(succeeded.arrived).length)
    const counts = (good: readonly Leaf['value'][], bad: readonly Leaf['value'][]): boolean => {
      const [few, many] = [most(good), most(bad)]
      return few !== null && many !== null && few < many && few <= fewMost && (many === 2 || many === 3)
    }
    if (dialect.log?.retries !== undefined) {
      const [good, bad] = [
        declaredValues(ours, 'retries', dialect),
        declaredValues(theirs, 'retries', dialect),
      ]
      const got = `${good.join(', ')} after one attempt, ${bad.join(', ')} after three`
      return check(counts(good, bad), '0 or 1 after one attempt, 2 or 3 after three', got, failed.log)
    }
    const found = pathsOf(theirs).some((path) => counts(valuesAt(ours, path), valuesAt(theirs, path)))
    return found ? pass : unsure('retries')
  })
}

/** Judges the entries of a successful delivery together with those of a failed one. */
function bothLogged(
  succeeded: Logged,
  failed: Logged,
  judge: (succeeded: readonly LogEntry[], failed: readonly LogEntry[]) => Judgement,
): Judgement {
  return given(hasList(succeeded), () =>
    given(hasList(failed), () => {
      const [ours, theirs] = [entriesOfArrived(succeeded), entriesOfArrived(failed)]
      if (ours.length === 0 || theirs.length === 0) return inconclusive('the log has no entry of the event')
      return judge(ours, theirs)
    }),
  )
}

function pathsOf(found: readonly LogEntry[]): readonly string[] {
  return [...new Set(found.flatMap((entry) => leavesOf(entry).map(({ path }) => path)))]
}

function valuesAt(found: readonly LogEntry[], path: string): readonly Leaf['value'][] {
  return found.flatMap((entry) =>
    leavesOf(entry)
      .filter((leaf) => leaf.path === path)
      .map(({ value }) => value),
  )
}

/** Null for a value that an entry does not have. */
function declaredValues(
  found: readonly LogEntry[],
  member: LogMember,
  dialect: Dialect,
): readonly Leaf['value'][] {
  return found.flatMap((entry) => {
    const values = (declaredLeaves(entry, member, dialect) ?? []).map(({ value }) => value)
    return values.length > 0 ? values : [null]
  })
}

function most(values: readonly Leaf['value'][]): number | null {
  const numbers = values.map(numberOf).filter((one) => one !== null)
  return numbers.reduce<number | null>((one, other) => Math.max(one ?? other, other), null)
}
