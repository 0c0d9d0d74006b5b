/** The bundled documents of the contract, with the identifiers of one service. */
import asyncapi from '../../spec/bundled/asyncapi.json' with { type: 'json' }
import openapi from '../../spec/bundled/openapi.json' with { type: 'json' }
import type { Identifiers } from '../../spec/identifiers.ts'
import { renameIdentifiers } from '../../spec/rename-identifiers.ts'

/** A document, or any object inside one. */
export type DocumentTree = { readonly [member: string]: unknown }

/** The extension at the root of a document that names the program that wrote it. */
export const mark = 'x-generated-by'

const sources = { openapi, asyncapi } as const satisfies Record<string, DocumentTree>
export type SpecDocumentName = keyof typeof sources

/** Each document with the mark after its version. */
export function documentsWith(
  identifiers: Identifiers,
  writer: string,
): Record<SpecDocumentName, DocumentTree> {
  const marked = (source: DocumentTree): DocumentTree => {
    const [version, ...rest] = Object.entries(renameIdentifiers(source, identifiers) as DocumentTree)
    return Object.fromEntries([...(version ? [version] : []), [mark, writer], ...rest])
  }
  return { openapi: marked(openapi), asyncapi: marked(asyncapi) }
}
