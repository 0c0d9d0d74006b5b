/** What a step of a tenant changed and somebody outside of it keeps, so that it survives the process. */

/** Kinds of what is kept of a tenant; simulator/persistence/codecs/codecs.ts has a row for each. */
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
  | 'older-key'
  | 'run'
  | 'settings'
  | 'task'
  | 'webhook'

export interface Changes {
  /** This was changed, added or taken away. */
  mark(kind: EntryKind, id: string): void
  /** Everything that is marked by now is durable once it resolves; undefined where it is, or where nothing is kept. */
  settled(): Promise<void> | undefined
  /**
   * Nobody else can have taken the tenant by the time it resolves; undefined where that is so. Rejects once somebody has,
   * or the tenant is closed.
   */
  sure(): Promise<void> | undefined
}

/** Of a tenant that ends with its process. */
export const nothingKept: Changes = { mark: () => undefined, settled: () => undefined, sure: () => undefined }

/** How many entries of each kind were evicted. */
export type Evicted = Partial<Record<EntryKind, number>>
