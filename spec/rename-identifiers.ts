/** Documents of the contract in the words of one vendor. */
import { contractIdentifiers, identifierForms, type IdentifierName, type Identifiers } from './identifiers.ts'

/** No document names a folder, and `service-client` is also the name of a command. */
const names = (Object.keys(identifierForms) as IdentifierName[]).filter(
  (name) => identifierForms[name].kind !== 'folder',
)

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Matches whole identifiers only, in one pass, so that no replacement is replaced again. */
const written = new RegExp(
  `(?<![\\w-])(?:${names.map((name) => literally(contractIdentifiers[name])).join('|')})(?![\\w-])`,
  'g',
)

const nameOf = new Map<string, IdentifierName>(names.map((name) => [contractIdentifiers[name], name]))

function renamedText(text: string, identifiers: Identifiers): string {
  return text.replaceAll(written, (identifier) => {
    const name = nameOf.get(identifier)
    return name === undefined ? identifier : identifiers[name]
  })
}

/** Replaces each identifier of the contract in texts and in names of members. */
export function renameIdentifiers(value: unknown, identifiers: Identifiers): unknown {
  if (typeof value === 'string') return renamedText(value, identifiers)
  if (Array.isArray(value)) return value.map((item) => renameIdentifiers(item, identifiers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      renamedText(name, identifiers),
      renameIdentifiers(member, identifiers),
    ]),
  )
}
