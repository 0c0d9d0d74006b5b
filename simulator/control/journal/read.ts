/** Routes for the journal of a tenant. */
import type { JournalEntry } from '../../tenant/journal/entry.ts'
import { chatErrors, receiptErrors } from '../../../spec/index.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { EntryFilter, ErrorCode } from '../../tenant/journal/filter.ts'
import { ok, type TenantRoutes } from '../answer.ts'
import { entryState } from './entry-state.ts'
import { ControlRefusal } from '../guard.ts'
import { queryOf, timeoutOf, wholeNumberOf } from '../request.ts'

const filters = ['method', 'path', 'status', 'code', 'body', 'header', 'since'] as const

function filterOf(query: URLSearchParams): EntryFilter {
  return {
    method: query.get('method') ?? undefined,
    path: query.get('path') ?? undefined,
    status: wholeNumberOf(query, 'status'),
    code: codeOf(query.get('code')),
    body: membersOf(query.get('body')),
    headers: headersOf(query),
    after: wholeNumberOf(query, 'since'),
  }
}

const codes = [...Object.keys(chatErrors), ...Object.keys(receiptErrors)] as readonly ErrorCode[]

function codeOf(given: string | null): ErrorCode | undefined {
  if (given === null) return undefined
  const code = codes.find((one) => one === given)
  if (code !== undefined) return code
  throw new ControlRefusal(400, `There is no code \`${given}\`; there are: ${codes.join(', ')}.`)
}

function membersOf(given: string | null): JsonObject | undefined {
  if (given === null) return undefined
  try {
    const members: unknown = JSON.parse(given)
    if (isObject(members)) return members
  } catch {
    // Said below.
  }
  throw new ControlRefusal(400, '`body` is no JSON object: give the members that are to be there.')
}

function headersOf(query: URLSearchParams): Record<string, string> | undefined {
  const given = query.getAll('header')
  if (given.length === 0) return undefined
  return Object.fromEntries(
    given.map((line) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) return [name, value]
      throw new ControlRefusal(400, `\`header\` is ${JSON.stringify(line)}: give it as \`name: value\`.`)
    }),
  )
}

/** The newest of these whose bodies fit into one answer, and how many older ones are left. */
function fitting(entries: readonly JournalEntry[], most: number): { entries: JsonObject[]; left: number } {
  const shown: JsonObject[] = []
  let bytes = 0
  for (const entry of entries.toReversed()) {
    bytes += bodyBytes(entry)
    if (bytes > most && shown.length > 0) break
    shown.push(entryState(entry) as object as JsonObject)
  }
  return { entries: shown.toReversed(), left: entries.length - shown.length }
}

const bodyBytes = ({ body, response }: JournalEntry): number =>
  response.reduce((sum, { bytes }) => sum + bytes.length, body.length)

export const journalRoutes: TenantRoutes = {
  'GET /journal'(tenant, call, limits) {
    const query = queryOf(call, [...filters, 'limit'])
    const entries = tenant.journal
      .entries(filterOf(query))
      .slice(-(wholeNumberOf(query, 'limit', 1) ?? Infinity))
    return ok({ ...fitting(entries, limits.journalReadBytes), dropped: tenant.journal.dropped })
  },
  async 'GET /journal/wait'(tenant, call, limits) {
    const query = queryOf(call, [...filters, 'count', 'timeoutMs'])
    const filter = filterOf(query)
    const [count, timeoutMs] = [wholeNumberOf(query, 'count', 1), timeoutOf(query)]
    if (count === undefined) throw new ControlRefusal(400, 'Say how many entries to wait for: `?count=1`.')
    const gone = new AbortController()
    // A reason of its own: one that is made has a stack.
    call.client.watch(() => gone.abort('the client went away'))
    const why = await tenant.journal.waitFor(filter, { count, timeoutMs, signal: gone.signal }).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (call.client.gone) return ok({})
    return ok({
      ...fitting(tenant.journal.entries(filter), limits.journalReadBytes),
      dropped: tenant.journal.dropped,
      timedOut: why !== null,
      ...(why === null ? {} : { why }),
    })
  },
}
