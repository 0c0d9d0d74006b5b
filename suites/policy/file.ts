/** Reads a policy: the part of a target file, a file of its own, or a part whose known failures are in a file of their own. */
import { basename, dirname, isAbsolute, join } from 'node:path'
import { ConfigurationError } from '../config/target.ts'
import { complain, type Reading, readYaml, type YamlPath } from '../config/file/source-map.ts'
import { readNamed } from '../../bundle/folder/plain-file.ts'
import { isObject } from '../../spec/json.ts'
import { partOf, type Parts } from '../config/file/shape.ts'
import {
  type Day,
  type Policy,
  type WrittenPolicy,
  dayAfter,
  daysFrom,
  isDay,
  mostDays,
  type KnownFailure,
  type Promised,
} from './policy.ts'

interface Complaint {
  path: YamlPath
  words: string
}

function entryProblems(policy: Policy, today: Day): readonly Complaint[] {
  const { knownFailures, flaky, expectedNotExercised } = policy
  const names = {
    knownFailures: knownFailures.map(({ check }) => check),
    flaky: flaky.map(({ check }) => check),
    expectedNotExercised: expectedNotExercised.map(({ pattern }) => pattern),
  }
  return [
    ...knownFailures.flatMap((entry, i) => broken(knownRules, entry, today, ['knownFailures', i])),
    ...flaky.flatMap((entry, i) => broken(flakyRules, entry, today, ['flaky', i])),
    ...Object.entries(names).flatMap(([list, all]) =>
      all.flatMap((name, i) =>
        all.indexOf(name) < i
          ? [{ path: [list, i], words: `is about "${name}", as one before it is; take one out` }]
          : [],
      ),
    ),
    ...flaky
      .map(({ check }, i) => ({
        path: ['flaky', i],
        check,
        words: `is about "${check}", which is a known failure as well; take one of the two out`,
      }))
      .filter(({ check }) => names.knownFailures.includes(check)),
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

/** Throws a ConfigurationError with every problem found, each with its line. `path`: of the file. */
export function loadPolicy(path: string, today: Day): Policy {
  const problems: string[] = []
  const sourced = { value: path, at: () => '--policy' }
  const policy = policyIn(path, { sourced, env: {}, folder: '', today, referred: [], problems })
  if (problems.length > 0) throw new ConfigurationError(...problems)
  return policy
}

export function policyIn(written: WrittenPolicy | string | undefined, reading: Reading): Policy {
  const whole = included('policy', { value: written ?? {}, reading, path: ['policy'] }, {})
  const { knownFailures = [], flaky = [], expectedNotExercised = [] } = whole.value
  const listed = <T>(name: keyof Policy, value: T): Section<T> => ({
    ...whole,
    value,
    path: [...whole.path, name],
  })
  const sections = {
    knownFailures: included('knownFailures', listed('knownFailures', knownFailures), []),
    flaky: listed('flaky', flaky),
    expectedNotExercised: listed('expectedNotExercised', expectedNotExercised),
  }
  const policy: Policy = {
    knownFailures: located(sections.knownFailures),
    flaky: located(sections.flaky),
    expectedNotExercised: located(sections.expectedNotExercised),
  }
  for (const complaint of entryProblems(policy, reading.today)) reportProblem(complaint, sections)
  return policy
}

interface Section<T> {
  value: T
  reading: Reading
  path: YamlPath
}

/** The section itself, or what is in the file that it names; `nothing` when that cannot be read. */
function included<P extends keyof Parts>(
  part: P,
  { value, reading, path }: Section<Parts[P] | string>,
  nothing: Parts[P],
): Section<Parts[P]> {
  if (typeof value !== 'string') return { value, reading, path }
  const file = isAbsolute(value) ? value : join(reading.folder, value)
  const { text, problem } = readNamed(file)
  if (text === undefined) {
    complain(path, `names the file ${file}: ${problem}`, reading)
    return { value: nothing, reading, path }
  }
  const sourced = readYaml(text, file)
  if (part === 'knownFailures' && isObject(sourced.value)) {
    complain(path, `names the file ${file}, which is a whole policy; write \`policy: ${value}\``, reading)
    return { value: nothing, reading, path }
  }
  const inside = { reading: { ...reading, sourced, folder: dirname(file) }, path: [] }
  const shaped = partOf(part, sourced)
  if ('value' in shaped) return { value: shaped.value, ...inside }
  reading.problems.push(...shaped.problems)
  return { value: nothing, ...inside }
}

/** Each entry with its line, for messages at the end of a run; the folder is nobody else's business. */
function located<T extends object>({
  value,
  reading,
  path,
}: Section<readonly T[]>): readonly (T & { at: string })[] {
  return value.map((entry, i) => ({ ...entry, at: basename(reading.sourced.at([...path, i])) }))
}

function reportProblem(
  { path: [list, ...rest], words }: Complaint,
  sections: Record<keyof Policy, Section<unknown>>,
): void {
  const { reading, path } = sections[list as keyof Policy]
  complain([...path, ...rest], words, reading)
}
