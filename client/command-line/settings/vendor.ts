/** The vendor's word: from the options, else from the environment; a profile remembers its own. */
import type { Command } from 'commander'
import { IdentifierError, identifiersOf, type Identifiers } from '../../../spec/identifiers.ts'
import { CommandUsageError, parseFilled } from './values.ts'

export interface VendorFlags {
  vendor?: string
  /** Each is NAME=VALUE. */
  identifier?: readonly string[]
}

export interface VendorSelection {
  vendor?: string
  identifiers?: Partial<Identifiers>
}

export interface Speech {
  choice: VendorSelection
  names: Identifiers
  /** How this program is called with the same choice, for hints. */
  program: string
}

const variables = { vendor: 'TOUCHSTONE_VENDOR', identifiers: 'TOUCHSTONE_IDENTIFIERS' } as const

export function withVendorOptions(command: Command): Command {
  return command
    .option(
      '--vendor <word>',
      `the word that the service has in {replayHeader} and all other identifiers, such as acme; also env ${variables.vendor}`,
      parseFilled,
    )
    .option(
      '--identifier <name=value>',
      'one identifier that does not follow from --vendor, such as replayHeader=X-Replayed (repeatable)',
      (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
    )
}

/** Throws a UsageError for a word, or an identifier, that cannot be one. */
export function speechOf(
  { vendor, identifier = [] }: VendorFlags,
  env: Readonly<Record<string, string | undefined>>,
): Speech {
  const given: VendorSelection = {
    ...(vendor !== undefined && { vendor }),
    ...(identifier.length > 0 && { identifiers: Object.fromEntries(identifier.map(pairOf)) }),
  }
  const choice = chosenWith(given, environmentChoice(env))
  const words = [
    ...(vendor === undefined ? [] : ['--vendor', vendor]),
    ...identifier.flatMap((pair) => ['--identifier', pair]),
  ]
  return { choice, names: namesOf(choice), program: ['service-client', ...words].join(' ') }
}

/** Throws a UsageError. */
export function namesOf({ vendor, identifiers }: VendorSelection): Identifiers {
  try {
    return identifiersOf(vendor, identifiers)
  } catch (error) {
    if (error instanceof IdentifierError) throw new CommandUsageError(error.message)
    throw error
  }
}

/** What is chosen, on top of what a profile was saved with for the same vendor. */
export function chosenWith(choice: VendorSelection, saved: VendorSelection = {}): VendorSelection {
  if (choice.vendor !== undefined && choice.vendor !== saved.vendor) return choice
  const { vendor = saved.vendor } = choice
  const identifiers = { ...saved.identifiers, ...choice.identifiers }
  return {
    ...(vendor !== undefined && { vendor }),
    ...(Object.keys(identifiers).length > 0 && { identifiers }),
  }
}

function environmentChoice(env: Readonly<Record<string, string | undefined>>): VendorSelection {
  const { [variables.vendor]: vendor = '', [variables.identifiers]: identifiers = '' } = env
  return {
    ...(vendor !== '' && { vendor }),
    ...(identifiers !== '' && { identifiers: textsIn(identifiers) }),
  }
}

function textsIn(json: string): Record<string, string> {
  try {
    const read: unknown = JSON.parse(json)
    const members = typeof read === 'object' && read !== null ? Object.entries(read) : [['', null]]
    if (members.every((member): member is [string, string] => typeof member[1] === 'string'))
      return Object.fromEntries(members)
  } catch {
    // As for a value of another type.
  }
  throw new CommandUsageError(
    `${variables.identifiers} is no JSON object of texts: set it to one such as {"replayHeader": "X-Replayed"}.`,
  )
}

function pairOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new CommandUsageError(
    `--identifier ${JSON.stringify(text)} is not NAME=VALUE; write it as replayHeader=X-Replayed.`,
  )
}
