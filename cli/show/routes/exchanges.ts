/** Exchanges of a run in the order sent, filtered. */
import type { ExchangeItem, ExchangeList } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { listPart } from './pages.ts'

export async function exchangeList(
  runs: OpenedRuns,
  run: NamedRun,
  query: URLSearchParams,
): Promise<ExchangeList> {
  const journal = await runs.journal(run)
  const [text = '', scenario = '', status = ''] = ['text', 'scenario', 'status'].map(
    (name) => query.get(name) ?? '',
  )
  const containing = text === '' ? null : await journal.containing(text)
  const found = journal.items
    .filter((item) => scenario === '' || item.scenario === scenario)
    .filter((item) => status === '' || hasStatus(item, status))
    .filter(({ id }) => containing === null || containing.has(id))
  return listPart(found, query)
}

/** `status`: such as `409`, `4xx`, or `none` where no response came. */
function hasStatus({ status }: ExchangeItem, wanted: string): boolean {
  if (status === null) return wanted === 'none'
  return wanted.endsWith('xx') ? wanted.startsWith(String(status).slice(0, 1)) : wanted === String(status)
}
