/** An account, and what it has: a row at a time, so that a write costs the same however much there is already. */
import { listsOf, type AccountData, type AccountLists } from '../../operations/account-data.ts'
import type { Rows, RowTotals } from '../../operations/rows.ts'
import type { Account } from '../../tenant/credits.ts'
import type { Book } from '../../tenant/book.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

type Tallies = Readonly<Record<keyof AccountLists, RowTotals>>

/** Before the rows of any list, which are counted from 1. */
const first = { number: 0, since: 0 }

const entriesOf = (data: AccountData): [name: string, rows: Rows<object>][] => Object.entries(listsOf(data))

function talliesOf(data: AccountData): Tallies {
  return Object.fromEntries(entriesOf(data).map(([name, { tally }]) => [name, tally])) as Tallies
}

const accountIn = (id: string): string => id.split('/')[0] ?? ''

/** The book that holds the row of this id; undefined for the id of an account. */
function bookOf(data: AccountData, id: string): Book<object> | undefined {
  const [, list = ''] = id.split('/')
  const lists = listsOf(data)
  return Object.hasOwn(lists, list) ? lists[list as keyof AccountLists].book : undefined
}

/** An account by its own id: how many rows it had of each list. Every row by the account, its list and an id. */
export const accountDataCodec: Codec = {
  ids: ({ operations }) =>
    [...operations.data].flatMap(([account, data]) => [
      account,
      ...entriesOf(data).flatMap(([, { book }]) => [...book.keys()]),
    ]),
  write: ({ operations }, id) => {
    const data = operations.data.get(accountIn(id))
    if (!data) return undefined
    if (!id.includes('/')) return { body: asBody(talliesOf(data)), place: first }
    const book = bookOf(data, id)
    const [row, place] = [book?.get(id), book?.placeOf(id)]
    return row && place && { body: asBody(row), place }
  },
  read: ({ operations }, id, { body, place }) => {
    const account = accountIn(id)
    const data = operations.data.get(account) ?? operations.emptyDataOf(account)
    if (id.includes('/')) return bookOf(data, id)?.restore(id, asWritten<object>(body), place)
    const tallies = asWritten<Partial<Tallies>>(body)
    for (const [name, { tally }] of entriesOf(data)) Object.assign(tally, tallies[name as keyof Tallies])
  },
}

/** Credits and plan of an account. What is held for turns that run is not kept: they end with the process. */
export const accountCodec: Codec = {
  ids: ({ accounts }) => accounts.keys(),
  write: ({ accounts }, id) => {
    const account = accounts.get(id)
    if (!account) return undefined
    const { balance, plan } = account
    return { body: asBody({ balance, plan }), place: first }
  },
  read: ({ accounts }, id, { body }) => {
    const account = accounts.get(id)
    if (account) Object.assign(account, asWritten<Pick<Account, 'balance' | 'plan'>>(body))
  },
}
