/** Routes for the journal of a world. */
import type { Call } from '../http/call.ts'
import type { Tenant } from '../tenant.ts'
import type { EntryFilter } from '../world/journal-filter.ts'
import { ok, type Answer } from './answer.ts'
import { entryState } from './describe.ts'
import { ControlRefusal, queryOf, wholeNumber } from './request.ts'

function filterOf(query: URLSearchParams): EntryFilter {
  const [method, path] = [query.get('method'), query.get('path')]
  const [status, after] = [wholeNumber(query, 'status'), wholeNumber(query, 'since')]
  return {
    ...(method === null ? {} : { method }),
    ...(path === null ? {} : { path }),
    ...(status === undefined ? {} : { status }),
    ...(after === undefined ? {} : { after }),
  }
}

export function readJournal(tenant: Tenant, call: Call): Answer {
  const query = queryOf(call)
  const entries = tenant.journal.entries(filterOf(query)).slice(-(wholeNumber(query, 'limit', 1) ?? Infinity))
  return ok({ entries: entries.map(entryState), dropped: tenant.journal.dropped })
}

export async function awaitJournal(tenant: Tenant, call: Call): Promise<Answer> {
  const query = queryOf(call)
  const filter = filterOf(query)
  const [count, timeoutMs] = [
    wholeNumber(query, 'count'),
    Math.min(wholeNumber(query, 'timeoutMs') ?? 5_000, 60_000),
  ]
  if (count === undefined) throw new ControlRefusal(400, 'Say how many entries to wait for: `?count=1`.')
  const waited = tenant.journal.waitFor(filter, { count, timeoutMs })
  const timedOut = await waited.then(
    () => false,
    () => true,
  )
  return ok({
    entries: tenant.journal.entries(filter).map(entryState),
    dropped: tenant.journal.dropped,
    timedOut,
  })
}
