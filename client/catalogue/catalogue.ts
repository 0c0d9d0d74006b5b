/** The operations a package was built with, as data: what may be asked for by name. None of it is a permission. */

/** A JSON schema, as discovery shows one; never compiled here, the server decides. */
export type InputSchema = { readonly [keyword: string]: unknown }

export interface CatalogueOperation {
  readonly title: string
  /** What a key needs for it; absent where any key may. */
  readonly scope?: string
  /** A write takes an idempotency key, and the same one when it is sent again. */
  readonly write: boolean
  /** What it takes away does not come back: a command line asks for an acknowledgement first. */
  readonly destructive?: true
  readonly input: InputSchema
}

export interface Catalogue {
  /** The contract that these operations belong to, by the name of its set of clauses. */
  readonly contract: string
  readonly operations: Readonly<Record<string, CatalogueOperation>>
}
