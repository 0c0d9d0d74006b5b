/** Puts a tenant that was just made back to where its documents have it. */
import { isObject } from '../json.ts'
import type { Document } from '../store/store.ts'
import { breathe } from '../tenant/clock/machine-time.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { EntryKind } from '../tenant/changes.ts'
import { codecs } from './codecs/codecs.ts'

/** In the order in which they are put back. */
export const kinds = Object.keys(codecs) as EntryKind[]

/** So many are put back before others of this process have their turn: a large tenant takes a while. */
const atOnce = 500

/** Throws on a document that is none of ours. */
export async function restore(state: TenantState, documents: AsyncIterable<Document>): Promise<void> {
  const byKind = new Map<string, Document[]>()
  for await (const document of documents) {
    const known = byKind.get(document.kind)
    if (known) known.push(document)
    else byKind.set(document.kind, [document])
  }
  let done = 0
  for (const kind of kinds)
    for (const document of byKind.get(kind) ?? []) {
      putBack(state, kind, document)
      if (++done % atOnce === 0) await breathe()
    }
  wake(state)
}

/** Everything is back: timers start. */
export function wake(state: TenantState): void {
  for (const kind of kinds) codecs[kind].wake?.(state)
}

function putBack(state: TenantState, kind: EntryKind, { id, place, body }: Document): void {
  const parsed: unknown = JSON.parse(body)
  const [since, content] = Array.isArray(parsed) ? parsed : []
  if (typeof since !== 'number' || !isObject(content))
    throw new Error(`The ${kind} ${JSON.stringify(id)} of ${state.id} is not a document of this simulator.`)
  codecs[kind].read(state, id, { body: content, place: { number: place, since } })
}
