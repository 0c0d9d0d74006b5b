/** Tenants that are kept, and what a store has of them. */
import { onTestFinished } from 'vitest'
import type { Document, Store } from '../../store/store.ts'
import type { TenantOptions } from '../../tenant.ts'
import { live, type Life } from '../life.testkit.ts'

/** A life that ends with its test, if it has not ended before. */
export async function startLife(
  store: Store,
  options: TenantOptions = {},
  sure?: () => boolean,
): Promise<Life> {
  const life = await live(store, options, sure)
  onTestFinished(() => life.die())
  return life
}

/** Of these kinds, one after the other. */
export async function documentsOf(store: Store, kinds: readonly string[]): Promise<readonly Document[]> {
  const documents = await Array.fromAsync(store.documents('kept'))
  return kinds.flatMap((kind) => documents.filter((document) => document.kind === kind))
}
