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
  const nothing = { rule: true, profile: 'smoke', cost: { requests: 0, turns: 0 }, async run() {} } as const
  return { title, exchanges: ['all[]'], ...nothing, ...(needs && { needs }), judge }
}

/** More would only repeat what these show. */
const mostShown = 3

const order: readonly string[] = ['fail', 'warn', 'pass', 'inconclusive', 'not-applicable', 'observed']

/**
 * Judges each of the `subjects` that `what` names in the plural. The worst judgement against the target counts; a pass
 * says how many passed, and rests on the first of them. Throws where there is none.
 */
export const eachOf = <S extends Exchange[]>(
  subjects: Iterable<S>,
  what: string,
  judge: (...subject: S) => Judgement,
): Judgement => eachList(subjects, what, (subject) => judge(...subject))

/** The same for subjects of any length: no function takes 100,000 exchanges one by one. */
export function eachList<S extends readonly Exchange[]>(
  subjects: Iterable<S>,
  what: string,
  judge: (subject: S) => Judgement,
): Judgement {
  let worst: { subject: S; judgement: Judgement } | null = null
  const shown: S[] = []
  let passed = 0
  for (const subject of subjects) {
    const judgement = judge(subject)
    if (!worst || order.indexOf(judgement.is) < order.indexOf(worst.judgement.is))
      worst = { subject, judgement }
    if (judgement.is === 'pass' && passed++ < mostShown) shown.push(subject)
  }
  // Others may have been sent: of those that were, a rule leaves out what something else explains.
  if (!worst) throw notExercised('never-seen', `the run has no ${what} that this rule can judge`)
  const { subject, judgement } = worst
  if ('expected' in judgement) return { ...judgement, rests: idsOf([subject]) }
  if (judgement.is !== 'pass') return judgement
  return { is: 'pass', note: `${passed} ${what}`, rests: idsOf(shown) }
}

const idsOf = (subjects: readonly (readonly Exchange[])[]): readonly number[] =>
  subjects.flat().map(({ id }) => id)

/** The exchanges for which this holds, each as a subject. */
export function* those(all: readonly Exchange[], holds: (one: Exchange) => boolean): Generator<[Exchange]> {
  for (const one of all) if (holds(one)) yield [one]
}
