/** Credits and plan of an account. What is held for turns that run is not kept: they end with the process. */
import type { Account } from '../../tenant/credits.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

type Stored = Pick<Account, 'balance' | 'plan'>

const always = { number: 0, since: 0 }

export const accountCodec: Codec = {
  write: (state, id) => {
    const account = state.accounts.get(id)
    if (!account) return undefined
    const { balance, plan } = account
    return { body: asBody({ balance, plan }), place: always }
  },
  read: (state, id, { body }) => {
    const account = state.accounts.get(id)
    if (account) Object.assign(account, asWritten<Stored>(body))
  },
}
