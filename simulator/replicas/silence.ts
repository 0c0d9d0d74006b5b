import { createRecent } from './recent.ts'

/** What whoever runs the replicas has to know of those that do not answer, told once until they do again. */
export interface Silence {
  /** No replica takes requests at this address, though one runs a tenant there. */
  silent(address: string): void
  heard(address: string): void
}

/** Addresses that are remembered; of more of them, the first are told anew. */
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
    heard: (address) => {
      if (!silent.get(address)) return
      silent.delete(address)
      notice(`a replica answers at ${address} again`)
    },
  }
}

/** Told once: two replicas may have been given the same address, and nothing else would show it. */
export function createTwinWords(notice: (line: string) => void): (address: string) => void {
  let told = false
  return (address) => {
    if (told || address === '') return
    told = true
    notice(
      `another replica is at ${address}, as this one is: one that died there, whose lease ends soon, or one that ` +
        'needs a --replica-address of its own.',
    )
  }
}
