/**
 * What holds for every exchange of a run, whichever scenario sent it. A rule is a scenario that sends nothing and is
 * judged at the end, over all exchanges in the order of time: docs/internal/rules.md
 */
import type { ClauseId } from '../../spec/index.ts'
import { notExercised } from '../scenario/ending.ts'
import type { Judgement, AnyScenario, Context, Needs } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'

/** Judges all exchanges of a run. */
type RunJudge = (all: readonly Exchange[], context: Context) => Judgement

export function ruleOver(
  title: string,
  judges: { readonly [C in ClauseId]?: RunJudge },
  needs?: Needs,
): AnyScenario {
  const judge = Object.fromEntries(
    Object.entries(judges).map(([clause, one]) => [
      clause,
      ({ all }: { all: readonly Exchange[] }, context: Context) => one(all, context),
    ]),
  ) as unknown as AnyScenario['judge']
  const nothing = { cost: { requests: 0, turns: 0 }, async run() {} }
  return {
    title,
    exchanges: ['all[]'],
    rule: true,
    profile: 'smoke',
    ...nothing,
    ...(needs && { needs }),
    judge,
  }
}

/** More would only repeat what these show. */
const mostShown = 3

const order: readonly Judgement['is'][] = [
  'fail',
  'warn',
  'pass',
  'inconclusive',
  'not-applicable',
  'observed',
]

/**
 * Judges each of the `subjects` that `what` names in the plural. The worst judgement against the target counts; a pass
 * says how many passed, and rests on the first of them. Throws where there is none.
 */
export function eachOf<S extends Exchange[]>(
  subjects: readonly S[],
  what: string,
  judge: (...subject: S) => Judgement,
): Judgement {
  const [first, ...others] = subjects
    .map((subject) => ({ subject, judgement: judge(...subject) }))
    .toSorted((one, other) => order.indexOf(one.judgement.is) - order.indexOf(other.judgement.is))
  if (!first) throw notExercised('never-seen', `there were no ${what}`)
  const { judgement } = first
  if ('expected' in judgement) return { ...judgement, rests: idsOf([first.subject]) }
  if (judgement.is !== 'pass') return judgement
  const passed = [first, ...others.filter((one) => one.judgement.is === 'pass')].map(({ subject }) => subject)
  return { is: 'pass', note: `${passed.length} ${what}`, rests: idsOf(passed.slice(0, mostShown)) }
}

const idsOf = (subjects: readonly (readonly Exchange[])[]): readonly number[] =>
  subjects.flat().map(({ id }) => id)

/** The exchanges for which this holds, each as a subject. */
export function those(
  all: readonly Exchange[],
  holds: (exchange: Exchange) => boolean,
): readonly [Exchange][] {
  return all.filter(holds).map((one) => [one])
}
