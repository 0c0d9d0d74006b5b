/** `touchstone scenario check`: everything in a file that does not fit, with the line it stands in. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { read } from '../simulate/scenario-file.ts'

/** Gives the exit code. Throws a UsageError for a file that cannot be read. */
export function check(path: string, io: Io): number {
  const { list, problems } = read(path)
  for (const { line, words } of problems) io.out(`${path}:${line}: ${words}\n`)
  if (problems.length > 0) return exitCodes.usage
  io.err(`${path}: ${list.length} ${list.length === 1 ? 'scenario' : 'scenarios'}, and nothing wrong.\n`)
  return exitCodes.ok
}
