/** The bundled documents of the contract, with the identifiers of one service. */
import asyncapi from '../../spec/bundled/asyncapi.json' with { type: 'json' }
import openapi from '../../spec/bundled/openapi.json' with { type: 'json' }
import {
  contractIdentifiers,
  identifierForms,
  type IdentifierName,
  type Identifiers,
} from '../../spec/identifiers.ts'

/** A document, or any object inside one. */
export type DocumentTree = { readonly [member: string]: unknown }

/** The extension at the root of a document that names the program that wrote it. */
export const mark = 'x-generated-by'

const sources = { openapi, asyncapi } as const satisfies Record<string, DocumentTree>
export type SpecDocumentName = keyof typeof sources

/** Neither document names a folder, and `service-client` is also the name of a command. */
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

function replaceIdentifiers(text: string, identifiers: Identifiers): string {
  return text.replaceAll(written, (identifier) => {
    const name = nameOf.get(identifier)
    return name === undefined ? identifier : identifiers[name]
  })
}

/** Replaces each identifier of the contract in texts and in names of members. */
export function renamed(value: unknown, identifiers: Identifiers): unknown {
  if (typeof value === 'string') return replaceIdentifiers(value, identifiers)
  if (Array.isArray(value)) return value.map((item) => renamed(item, identifiers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      replaceIdentifiers(name, identifiers),
      renamed(member, identifiers),
    ]),
  )
}

/** Each document with the mark after its version. */
export function documentsWith(
  identifiers: Identifiers,
  writer: string,
): Record<SpecDocumentName, DocumentTree> {
  const marked = (source: DocumentTree): DocumentTree => {
    const [version, ...rest] = Object.entries(renamed(source, identifiers) as DocumentTree)
    return Object.fromEntries([...(version ? [version] : []), [mark, writer], ...rest])
  }
  return { openapi: marked(openapi), asyncapi: marked(asyncapi) }
}
