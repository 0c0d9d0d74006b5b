/** What one kept tenant changed since it was written last, and who waits for it to be durable. */
import type { JsonObject } from '../json.ts'
import type { Commit, Document } from '../store/store.ts'
import type { BookPlace } from '../tenant/book.ts'
import type { EntryKind } from '../tenant/changes.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { gistOf } from './codecs/settings.ts'
import { codecs } from './codecs/codecs.ts'

/** Somebody waits until what is marked is durable. */
export interface Wait {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

function createWait(): Wait {
  const wait = Promise.withResolvers<void>()
  // Often nobody waits for it, and then nobody hears of its rejection either.
  wait.promise.catch(() => undefined)
  return wait
}

/** Marks that one transaction takes along. */
export interface TakenChanges {
  readonly marks: ReadonlyMap<EntryKind, ReadonlySet<string>>
  readonly wait: Wait
  readonly commit: Commit
}

export interface TenantPage {
  mark(kind: EntryKind, id: string): void
  /** Something may have changed that nobody marks, such as a setting. */
  look(): void
  /** The last of those who wait; undefined: everything is durable. */
  readonly waiting: Wait | undefined
  /** What is to be written now; undefined: nothing. One transaction at a time. */
  take(state: TenantState, epoch: number): TakenChanges | undefined
  /** It was written, or was not and has to be taken once more. */
  written(taken: TakenChanges): void
  putBack(taken: TakenChanges): void
  /** Nothing will be written any more. */
  fail(reason: Error): void
}

/** A document with its place beside what it holds. */
export const keyTextOf = (body: JsonObject, { since }: BookPlace): string => JSON.stringify([since, body])

export function createPage(tenant: string): TenantPage {
  let marks = new Map<EntryKind, Set<string>>()
  let [next, flying]: (Wait | undefined)[] = []
  let settings = ''

  const add = (kind: EntryKind, id: string): void => {
    const known = marks.get(kind)
    if (known) known.add(id)
    else marks.set(kind, new Set([id]))
  }
  const expect = (): void => void (next ??= createWait())

  return {
    mark: (kind, id) => {
      add(kind, id)
      expect()
    },
    look: expect,
    get waiting() {
      return next ?? flying
    },
    take: (state, epoch) => {
      if (!next) return undefined
      const [put, removed]: [Document[], Commit['removed'][number][]] = [[], []]
      for (const [kind, ids] of marks)
        for (const id of ids) {
          const written = codecs[kind].write(state, id)
          if (written) put.push(documentOf(kind, id, written.body, written.place))
          else removed.push({ kind, id })
        }
      const now = codecs.settings.write(state, '')
      const gist = now && gistOf(now.body)
      if (now && gist !== settings) put.push(documentOf('settings', '', now.body, now.place))
      settings = gist ?? settings
      flying = next
      next = undefined
      const taken = { marks, wait: flying, commit: { tenant, epoch, put, removed, dueInMs: dueIn(state) } }
      marks = new Map()
      return taken
    },
    written: ({ wait }) => {
      flying = undefined
      wait.resolve()
    },
    putBack: (taken) => {
      for (const [kind, ids] of taken.marks) for (const id of ids) add(kind, id)
      // They may stand there or not: they are written once more in any case.
      settings = ''
      flying = undefined
      const later = next
      next = taken.wait
      // Whoever came meanwhile waits for the same transaction now.
      if (later) void taken.wait.promise.then(later.resolve, later.reject)
    },
    fail: (reason) => {
      next?.reject(reason)
      flying?.reject(reason)
    },
  }
}

function documentOf(kind: EntryKind, id: string, body: JsonObject, place: BookPlace): Document {
  return { kind, id, place: place.number, body: keyTextOf(body, place) }
}

/**
 * When this tenant goes on by itself, in ms of real time. Frozen time waits for somebody who moves it, and deliveries
 * that are ready wait for no time at all.
 */
export function dueIn({ clock, outbox }: TenantState): number | null {
  if (outbox.persisted.isReady()) return 0
  const { setting } = clock
  const ms = clock.nextIn()
  if (ms === null || setting.mode === 'frozen') return null
  return setting.mode === 'scaled' ? ms / setting.factor : ms
}
