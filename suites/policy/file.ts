/** Reads a policy: the part of a target file, a file of its own, or a part whose known failures are in a file of their own. */
import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { ConfigurationError } from '../target/configuration-error.ts'
import { complain, type Reading } from '../target/reading.ts'
import { partOf, type PartName } from '../target/shape.ts'
import { readYaml, type Path } from '../target/source-map.ts'
import { entryProblems, type Complaint } from './entries.ts'
import type { Day, KnownFailure, Policy, WrittenPolicy } from './policy.ts'

/** Throws a ConfigurationError with every problem found, each with its line. */
export function loadPolicy(path: string, today: Day): Policy {
  const problems: string[] = []
  const sourced = { value: path, at: () => '--policy' }
  const policy = policyIn(path, { sourced, env: {}, folder: '', today, problems }, [])
  if (problems.length > 0) throw new ConfigurationError(...problems)
  return policy
}

/** What is wrong is noted in `reading`. `path`: where the policy stands in the file that is read. */
export function policyIn(
  written: WrittenPolicy | string | undefined,
  reading: Reading,
  path: Path = ['policy'],
): Policy {
  const whole = included<WrittenPolicy>(written ?? {}, 'policy', reading, path) ?? {
    value: {},
    reading,
    path,
  }
  const { knownFailures = [], flaky = [], expectedNotExercised = [] } = whole.value
  const list = [...whole.path, 'knownFailures']
  const known = included<readonly KnownFailure[]>(knownFailures, 'knownFailures', whole.reading, list)
  const sections = {
    knownFailures: known ?? { value: [], reading: whole.reading, path: list },
    flaky: { value: flaky, reading: whole.reading, path: [...whole.path, 'flaky'] },
    expectedNotExercised: {
      value: expectedNotExercised,
      reading: whole.reading,
      path: [...whole.path, 'expectedNotExercised'],
    },
  }
  const policy: Policy = {
    knownFailures: located(sections.knownFailures),
    flaky: located(sections.flaky),
    expectedNotExercised: located(sections.expectedNotExercised),
  }
  for (const complaint of entryProblems(policy, reading.today)) tell(complaint, sections)
  return policy
}

/** A value, and where it stands in the file that it was read from. */
interface Section<T> {
  value: T
  reading: Reading
  path: Path
}

/** The value itself, or what is in the file that it names; nothing when that cannot be read. */
function included<T>(written: T | string, part: PartName, reading: Reading, path: Path): Section<T> | null {
  if (typeof written !== 'string') return { value: written, reading, path }
  const file = isAbsolute(written) ? written : join(reading.folder, written)
  const text = textOf(file)
  if (text === null) {
    complain(path, `names the file ${file}, which cannot be read; create it, or give its path`, reading)
    return null
  }
  const sourced = readYaml(text, file)
  const shaped = partOf<T>(part, sourced)
  if ('problems' in shaped) {
    reading.problems.push(...shaped.problems)
    return null
  }
  return { value: shaped.value, reading: { ...reading, sourced, folder: dirname(file) }, path: [] }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
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

function tell(
  { path: [list, ...rest], words }: Complaint,
  sections: Record<keyof Policy, Section<unknown>>,
): void {
  const { reading, path } = sections[list as keyof Policy]
  complain([...path, ...rest], words, reading)
}
