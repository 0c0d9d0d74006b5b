/** Reads a policy: the part of a target file, a file of its own, or a part whose known failures are in a file of their own. */
import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { ConfigurationError } from '../config/configuration-error.ts'
import { complain, type Reading } from '../config/file/reading.ts'
import { partOf, type Parts } from '../config/file/shape.ts'
import { readYaml, type YamlPath } from '../config/file/source-map.ts'
import { readProblem } from '../config/file/unreadable.ts'
import { entryProblems, type Complaint } from './entries.ts'
import type { Day, Policy, WrittenPolicy } from './policy.ts'

/** Throws a ConfigurationError with every problem found, each with its line. `path`: of the file. */
export function loadPolicy(path: string, today: Day): Policy {
  const problems: string[] = []
  const sourced = { value: path, at: () => '--policy' }
  const policy = policyIn(path, { sourced, env: {}, folder: '', today, problems })
  if (problems.length > 0) throw new ConfigurationError(...problems)
  return policy
}

/** The policy of a target file; what is wrong is noted in `reading`. */
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

/** A value, and where it stands in the file that it was read from. */
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
  const { text, problem } = textOf(file)
  if (text === undefined) {
    complain(path, `names the file ${file}: ${problem}`, reading)
    return { value: nothing, reading, path }
  }
  const sourced = readYaml(text, file)
  const inside = { reading: { ...reading, sourced, folder: dirname(file) }, path: [] }
  const shaped = partOf(part, sourced)
  if ('value' in shaped) return { value: shaped.value, ...inside }
  reading.problems.push(...shaped.problems)
  return { value: nothing, ...inside }
}

function textOf(file: string): { text: string; problem?: never } | { text?: never; problem: string } {
  try {
    return { text: readFileSync(file, 'utf8') }
  } catch (error) {
    return { problem: readProblem(file, error) }
  }
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
