/** What a step of a tenant changed and somebody outside of it stores, so that it survives the process. */

/** Kinds of what is stored of a tenant; simulator/persistence/codecs/codecs.ts has a row for each. */
export type EntryKind =
  | 'account'
  | 'approval'
  | 'conversation'
  | 'data'
  | 'delivery'
  | 'history'
  | 'key'
  | 'endpoint'
  | 'offer'
  | 'run'
  | 'settings'
  | 'task'
  | 'webhook'

export interface Changes {
  /** This was changed, added or taken away. Accounts and settings are few, and are compared: one of them may be any. */
  changed(kind: EntryKind, id: string): void
  /** Everything changed by now is stored once it resolves; undefined where it is, or where nothing is stored. */
  settled(): Promise<void> | undefined
}

/** Of a tenant that ends with its process. */
export const nothingStored: Changes = { changed: () => undefined, settled: () => undefined }

export type Evicted = Partial<Record<EntryKind, number>>
