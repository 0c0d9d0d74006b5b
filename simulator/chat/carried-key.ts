/** The idempotency keys that one request carries, in the order found. */
export interface CarriedKeys {
  /** The member of the body; undefined when absent, whatever its type otherwise. */
  readonly body: unknown
  /** Values of both headers, in the order of the lines. */
  readonly headers: readonly string[]
}

/** `invalid`: words say why it is refused. */
export type ChosenKey =
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'missing' }
  | { readonly is: 'invalid'; readonly words: string }
