/** The documents of the contract, bundled, with the identifiers of one service in place of the contract's. */
import asyncapi from '../../spec/bundled/asyncapi.json' with { type: 'json' }
import openapi from '../../spec/bundled/openapi.json' with { type: 'json' }
import {
  contractIdentifiers,
  identifierForms,
  type IdentifierName,
  type Identifiers,
} from '../../spec/identifiers.ts'

/** A document, or any object inside one. */
export type Tree = { readonly [member: string]: unknown }

/** The extension at the root of a document that says who wrote it. */
export const mark = 'x-generated-by'

const sources = { openapi, asyncapi } as const satisfies Record<string, Tree>
export type DocumentName = keyof typeof sources

/** Neither document names a folder, and `service-client` is also the name of a command. */
const names = (Object.keys(identifierForms) as IdentifierName[]).filter(
  (name) => identifierForms[name].kind !== 'folder',
)

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Whole identifiers only, all in one pass: one that was put in is not replaced again. */
const written = new RegExp(
  `(?<![\\w-])(?:${names.map((name) => literally(contractIdentifiers[name])).join('|')})(?![\\w-])`,
  'g',
)

const nameOf = new Map<string, IdentifierName>(names.map((name) => [contractIdentifiers[name], name]))

function spoken(text: string, identifiers: Identifiers): string {
  return text.replaceAll(written, (identifier) => {
    const name = nameOf.get(identifier)
    return name === undefined ? identifier : identifiers[name]
  })
}

/** The value with each identifier of the contract in its texts, and in the names of its members, replaced. */
export function renamed(value: unknown, identifiers: Identifiers): unknown {
  if (typeof value === 'string') return spoken(value, identifiers)
  if (Array.isArray(value)) return value.map((item) => renamed(item, identifiers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [spoken(name, identifiers), renamed(member, identifiers)]),
  )
}

/** Each document with the mark in second place, behind its version. */
export function documentsWith(identifiers: Identifiers, writer: string): Record<DocumentName, Tree> {
  const marked = (source: Tree): Tree => {
    const [version, ...rest] = Object.entries(renamed(source, identifiers) as Tree)
    return Object.fromEntries([...(version ? [version] : []), [mark, writer], ...rest])
  }
  return { openapi: marked(openapi), asyncapi: marked(asyncapi) }
}
