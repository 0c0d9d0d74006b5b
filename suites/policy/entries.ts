/** What is wrong with the entries of a policy in themselves, before any run. */
import type { YamlPath } from '../config/file/source-map.ts'
import {
  dayAfter,
  daysFrom,
  isDay,
  mostDays,
  type Day,
  type KnownFailure,
  type Policy,
  type Promised,
} from './policy.ts'

export interface Complaint {
  /** Within the policy. */
  path: YamlPath
  /** What is wrong with the entry, and what to do. */
  words: string
}

export function entryProblems(policy: Policy, today: Day): readonly Complaint[] {
  const { knownFailures, flaky, expectedNotExercised } = policy
  const checks = (entries: readonly Promised[]): readonly string[] => entries.map(({ check }) => check)
  return [
    ...knownFailures.flatMap((entry, i) => broken(knownRules, entry, today, ['knownFailures', i])),
    ...flaky.flatMap((entry, i) => broken(flakyRules, entry, today, ['flaky', i])),
    ...doubled(checks(knownFailures), 'knownFailures'),
    ...doubled(checks(flaky), 'flaky'),
    ...doubled(
      expectedNotExercised.map(({ pattern }) => pattern),
      'expectedNotExercised',
    ),
    ...contradicting(policy),
  ]
}

interface Rule<T> {
  member: 'created' | 'expires'
  broken: (entry: T, today: Day) => boolean
  words: (entry: T, today: Day) => string
}

const noDay = (day: string): string => `is ${day}, which no calendar has; give a day such as 2030-01-31`

const expiryIsDay: Rule<Promised> = {
  member: 'expires',
  broken: ({ expires }) => !isDay(expires),
  words: ({ expires }) => noDay(expires),
}

const createdIsDay: Rule<KnownFailure> = {
  member: 'created',
  broken: ({ created }) => !isDay(created),
  words: ({ created }) => noDay(created),
}

/** Rules between which nothing is presupposed, and then those that presuppose them, of which the first is reported. */
interface Rules<T> {
  days: readonly Rule<T>[]
  order: readonly Rule<T>[]
}

const knownRules: Rules<KnownFailure> = {
  days: [createdIsDay, expiryIsDay],
  order: [
    {
      member: 'created',
      // East of Greenwich a day begins before it does in UTC.
      broken: ({ created }, today) => created > dayAfter(today, 1),
      words: ({ created }, today) =>
        `is ${created}, which is still to come; give the day on which it was written, ${today} at the latest`,
    },
    {
      member: 'expires',
      broken: ({ created, expires }) => expires < created,
      words: ({ created, expires }) => `is ${expires}, before it was created on ${created}; give a later day`,
    },
    {
      member: 'expires',
      broken: ({ created, expires }) => daysFrom(created, expires) > mostDays,
      words: ({ created, expires }) =>
        `is ${expires}, ${daysFrom(created, expires)} days after it was created, and ${mostDays} are the most; give ${dayAfter(created, mostDays)} or earlier`,
    },
  ],
}

const flakyRules: Rules<Promised> = {
  days: [expiryIsDay],
  order: [
    {
      member: 'expires',
      broken: ({ expires }, today) => daysFrom(today, expires) > mostDays,
      words: ({ expires }, today) =>
        `is ${expires}, ${daysFrom(today, expires)} days from now, and ${mostDays} are the most; give ${dayAfter(today, mostDays)} or earlier`,
    },
  ],
}

function broken<T>({ days, order }: Rules<T>, entry: T, today: Day, path: YamlPath): readonly Complaint[] {
  const isBroken = (rule: Rule<T>): boolean => rule.broken(entry, today)
  const noDays = days.filter(isBroken)
  const found = noDays.length > 0 ? noDays : order.filter(isBroken).slice(0, 1)
  return found.map(({ member, words }) => ({ path: [...path, member], words: words(entry, today) }))
}

function doubled(names: readonly string[], list: keyof Policy): readonly Complaint[] {
  return names.flatMap((name, i) =>
    names.indexOf(name) < i
      ? [{ path: [list, i], words: `is about "${name}", as one before it is; take one out` }]
      : [],
  )
}

function contradicting({ knownFailures, flaky }: Policy): readonly Complaint[] {
  const known = new Set(knownFailures.map(({ check }) => check))
  return flaky.flatMap(({ check }, i) =>
    known.has(check)
      ? [
          {
            path: ['flaky', i],
            words: `is about "${check}", which is a known failure as well; take one of the two out`,
          },
        ]
      : [],
  )
}
