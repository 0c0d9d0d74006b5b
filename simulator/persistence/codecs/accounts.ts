/** An account, and what it has: a row at a time, so that a write costs the same however much there is already. */
import { listsOf, type AccountData } from '../../operations/account-data.ts'
import type { Rows, RowTotals } from '../../operations/rows.ts'
import type { Account } from '../../tenant/credits.ts'
import type { Book } from '../../tenant/book.ts'
import { bodyOf, bookPlaceOf, entryWith, entryAt, type Codec } from './codec.ts'

const entriesOf = (data: AccountData): [name: string, rows: Rows<object>][] => Object.entries(listsOf(data))
const accountIn = (id: string): string => id.split('/')[0] ?? ''

const bookOf = (data: AccountData, id: string): Book<object> | undefined =>
  entriesOf(data).find(([name]) => name === id.split('/')[1])?.[1].book

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
    if (!id.includes('/'))
      return entryWith(Object.fromEntries(entriesOf(data).map(([name, { tally }]) => [name, tally])))
    const book = bookOf(data, id)
    const [row, place] = [book?.get(id), book?.placeOf(id)]
    return row && place && entryAt(place, row)
  },
  read: ({ operations }, id, entry) => {
    const account = accountIn(id)
    const data = operations.data.get(account) ?? operations.emptyDataOf(account)
    if (id.includes('/')) return bookOf(data, id)?.restore(id, bodyOf<object>(entry), bookPlaceOf(entry))
    const tallies = bodyOf<Record<string, RowTotals>>(entry)
    for (const [name, { tally }] of entriesOf(data)) Object.assign(tally, tallies[name])
  },
}

/** Credits and plan of an account. What is held for turns that run is not stored: they end with the process. */
export const accountCodec: Codec = {
  isCompared: true,
  ids: ({ accounts }) => accounts.keys(),
  write: ({ accounts }, id) => {
    const { balance, plan } = accounts.get(id) ?? {}
    return balance === undefined ? undefined : entryWith({ balance, plan })
  },
  read: ({ accounts }, id, entry) =>
    void Object.assign(accounts.get(id) ?? {}, bodyOf<Pick<Account, 'balance' | 'plan'>>(entry)),
}
