/** The options for the vendor's word, which a service writes where the contract has `service`. */
import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { contractIdentifiers, IdentifierError, identifiersOf, type Identifiers } from '../spec/identifiers.ts'
import { alternatives } from './nearest.ts'
import { UsageError } from './usage-error.ts'
import { collectWhole } from './values.ts'

export interface VendorCommandOptions {
  vendor?: string
  /** Each is NAME=VALUE. */
  identifier?: readonly string[]
}

/** The word and single identifiers, as in options of the library and members of the target file. */
export interface VendorChoice {
  vendor?: string
  identifiers?: Partial<Identifiers>
}

export function withVendor(command: Command): Command {
  return command
    .option(
      '--vendor <word>',
      'set the word in X-WORD-Idempotent-Replay and all other identifiers with a vendor',
    )
    .option(
      '--identifier <name=value>',
      'set an identifier that does not follow from --vendor, such as replayHeader=X-Replayed; see docs/vendor.md (repeatable)',
      collectWhole,
    )
}

/** The values of both options; empty if none is given. Throws a UsageError for an invalid one. */
export function vendorFrom({ vendor, identifier = [] }: VendorCommandOptions): VendorChoice {
  const choice: VendorChoice = {
    ...(vendor !== undefined && { vendor }),
    ...(identifier.length > 0 && { identifiers: Object.fromEntries(identifier.map(pair)) }),
  }
  resolved(choice)
  return choice
}

/** The same options again, for a further command. */
export function vendorWords({ vendor, identifier = [] }: VendorCommandOptions): readonly string[] {
  return [
    ...(vendor === undefined ? [] : ['--vendor', vendor]),
    ...identifier.flatMap((one) => ['--identifier', one]),
  ]
}

/** All identifiers by the options; by default those of the contract. Throws a UsageError. */
export function identifiersFrom(options: VendorCommandOptions): Identifiers {
  return resolved(vendorFrom(options))
}

/**
 * The variables from which a child process such as `service-client` reads the vendor's word. Both are undefined for
 * the contract's own word, so that values of the outer environment are not passed on.
 */
export function vendorVariables({
  vendor,
  identifiers,
}: {
  vendor?: string | undefined
  identifiers?: Identifiers | undefined
}): Record<'TOUCHSTONE_VENDOR' | 'TOUCHSTONE_IDENTIFIERS', string | undefined> {
  const isOwn = identifiers !== undefined && !isDeepStrictEqual(identifiers, contractIdentifiers)
  return {
    TOUCHSTONE_VENDOR: isOwn ? vendor : undefined,
    TOUCHSTONE_IDENTIFIERS: isOwn ? JSON.stringify(identifiers) : undefined,
  }
}

function pair(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(
      `--identifier ${JSON.stringify(text)} is not NAME=VALUE; write it as replayHeader=X-Replayed.`,
    )
  const names = Object.keys(contractIdentifiers)
  if (!names.includes(name))
    throw new UsageError(`--identifier ${name}: unknown name; ${alternatives(name, names)}`)
  return [name, value]
}

function resolved({ vendor, identifiers }: VendorChoice): Identifiers {
  try {
    return identifiersOf(vendor, identifiers)
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    throw new UsageError(`--vendor WORD, --identifier NAME=VALUE: ${error.message}`)
  }
}
