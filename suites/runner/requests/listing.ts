/** How a target shows what the contract gives no route: by one of its own, or by an operation. */
import type { Listing } from '../../config/dialect.ts'
import type { OperationFixture, Target } from '../../config/target.ts'
import { notExercised } from '../../scenario/ending.ts'

type Way = { path: string } | { operation: OperationFixture }

/** Ends the scenario where neither is declared. */
export function listingOf(listing: Listing, { dialect, fixtures }: Target): Way {
  const name = dialect.routes?.[listing]
  if (name?.startsWith('/')) return { path: name }
  const operation = fixtures.operations.find((fixture) => fixture.name === name)
  if (operation) return { operation }
  throw notExercised(
    'fixture-missing',
    `nothing says where ${listing} can be read; declare \`dialect.routes.${listing}\` with its path, or the operation that does it`,
  )
}

export function withLimit(path: string, limit: number | undefined): string {
  return limit === undefined ? path : `${path}?limit=${limit}`
}
