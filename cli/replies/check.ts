/** `touchstone replies check`: prints every error of a reply file with its line. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { readReplyFile } from '../simulate/reply-file.ts'

/** Returns the exit code. Throws a UsageError for a file that cannot be read or parsed. */
export function check(path: string, io: Io): number {
  const { rules, problems } = readReplyFile(path)
  for (const { line, message } of problems) io.out(`${path}:${line}: ${message}\n`)
  if (problems.length > 0) return exitCodes.usage
  io.err(`${path}: ${rules.length} ${rules.length === 1 ? 'reply rule' : 'reply rules'}, no errors\n`)
  return exitCodes.ok
}
