/** The vendor's word for a new target file: as stated, or from one turn and its replay where they can be sent. */
import { randomInt } from 'node:crypto'
import { IdentifierError, identifiersOf } from '../../spec/identifiers.ts'
import { ConfigurationError } from '../../suites/config/configuration-error.ts'
import type { Target } from '../../suites/config/target.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'

/** Throws a UsageError for a word that cannot be one. */
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
 * The word other than `service` that the service writes; undefined where it writes that, or where it was not found.
 * `text`: a target file with its address, a key and an agent. Says on stderr what is sent, and what was found.
 */
export async function lookForVendor(text: string, file: string, io: Io): Promise<string | undefined> {
  const target = await targetIn(text, file, io)
  if (target === null) return undefined
  io.err(`Sending one turn and its replay to ${target.baseUrl}, to find the vendor's word.\n`)
  const { found, words } = await find(target)
  io.err(`${words}\n`)
  return found
}

/** Null where something is not set yet: `init` names it at its end, with the next command. */
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
  const { TargetUnreachable } = await import('../../suites/runner/plan/preflight.ts')
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
