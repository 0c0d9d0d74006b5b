import { createRecent } from './recent.ts'

/** Reports a replica that does not respond, once until it does again. */
export interface Silence {
  /** No replica takes requests at this address, though one runs a tenant there. */
  silent(address: string): void
  answered(address: string): void
}

/** Maximum number of remembered addresses; evicted ones are reported again. */
const most = 1_000

export function createSilence(notice: (line: string) => void): Silence {
  const silent = createRecent<true>(most)
  return {
    silent: (address) => {
      if (silent.get(address)) return
      silent.set(address, true)
      notice(
        `no replica answers at ${address}: its tenants are refused until its lease is over. If it lives, see that ` +
          'others reach it there, or give it another --replica-address.',
      )
    },
    answered: (address) => {
      if (!silent.get(address)) return
      silent.delete(address)
      notice(`a replica answers at ${address} again`)
    },
  }
}

/** Reports once that two replicas may have the same address. */
export function createDuplicateReport(notice: (line: string) => void): (address: string) => void {
  let isReported = false
  return (address) => {
    if (isReported || address === '') return
    isReported = true
    notice(
      `another replica is at ${address}, as this one is: one that died there, whose lease ends soon, or one that ` +
        'needs a --replica-address of its own.',
    )
  }
}
