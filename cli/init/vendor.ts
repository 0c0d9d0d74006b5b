/** The vendor's word for a new target file: as given, or from one turn and its replay if they can be sent. */
import { randomInt } from 'node:crypto'
import { IdentifierError, identifiersOf } from '../../spec/identifiers.ts'
import { ConfigurationError } from '../../suites/config/configuration-error.ts'
import type { Target } from '../../suites/config/target.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'

/** Throws a UsageError for an invalid word. */
export function statedVendor(word: string): string {
  try {
    identifiersOf(word)
    return word.toLowerCase()
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    throw new UsageError(`--vendor: ${error.message}`)
  }
}

/**
 * The word that the target writes; undefined if it is `service`, or was not found. `text` is a target file with
 * address, key and agent. Prints on stderr what it sends and finds.
 */
export async function lookForVendor(text: string, file: string, io: Io): Promise<string | undefined> {
  const target = await targetIn(text, file, io)
  if (target === null) return undefined
  io.err(`Sending one turn and its replay to ${target.baseUrl}, to find the vendor's word.\n`)
  const { found, words } = await find(target)
  io.err(`${words}\n`)
  return found
}

/** Null if a variable is not set; `init` names it at the end. */
async function targetIn(text: string, file: string, { env }: Io): Promise<Target | null> {
  const { parseTarget } = await import('../../suites/config/file/file.ts')
  try {
    return parseTarget(text, file, env)
  } catch (error) {
    if (error instanceof ConfigurationError) return null
    throw error
  }
}

async function find(target: Target): Promise<{ found?: string; words: string }> {
  const { findVendor } = await import('../../suites/doctor/vendor.ts')
  const { TargetUnreachable } = await import('../../suites/runner/plan/unreachable.ts')
  try {
    const result = await findVendor(target, { seed: randomInt(2 ** 31 - 1), version: version() })
    if ('because' in result) return unfound(result.because)
    const seen = result.seen.join(', ')
    if (result.word === null) return { words: `It writes \`service\`, the word of the contract (${seen}).` }
    statedVendor(result.word)
    return {
      found: result.word,
      words: `It writes \`${result.word}\` (${seen}): target.vendor is set to it.`,
    }
  } catch (error) {
    if (
      error instanceof TargetUnreachable ||
      error instanceof ConfigurationError ||
      error instanceof UsageError
    )
      return unfound(error.message)
    throw error
  }
}

const unfound = (because: string): { words: string } => ({
  words: `The vendor's word was not found: ${because}. touchstone doctor looks for it again.`,
})
