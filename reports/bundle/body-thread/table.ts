/** The bodies of a run in memory that two threads share: which of them reads a body, and what was found. */

/** Plain data, which can be sent to another thread. */
export interface SharedBodies {
  /** 32 bytes of each, sorted. */
  digests: Uint8Array<SharedArrayBuffer>
  states: Int32Array<SharedArrayBuffer>
  sizes: Float64Array<SharedArrayBuffer>
  /** NaN of a body that states none. */
  costs: Float64Array<SharedArrayBuffer>
}

/** A body whose content has its digest. */
export interface CheckedBody {
  /** Bytes. */
  size: number
  /** In credits, as it states it if it is all of a response; null where it states none. */
  cost: number | null
}

export interface BodyTable {
  /** For the thread that reads ahead: records what `check` returns, unless the body is known or the other thread reads it. */
  fill: (digest: string, check: () => CheckedBody | null) => void
  /** For the other thread: null where that is to read the body itself. */
  take: (digest: string) => CheckedBody | null
}

const digestBytes = 32
const [open, inWork, leftToOther, checked] = [0, 1, 2, 3]

/** `digests`: in hex, each once. */
export function sharedBodies(digests: readonly string[]): SharedBodies {
  const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(digests.length * bytes)
  const bodies = {
    digests: new Uint8Array(shared(digestBytes)),
    states: new Int32Array(shared(Int32Array.BYTES_PER_ELEMENT)),
    sizes: new Float64Array(shared(Float64Array.BYTES_PER_ELEMENT)),
    costs: new Float64Array(shared(Float64Array.BYTES_PER_ELEMENT)),
  }
  const bytes = viewOf(bodies)
  digests.toSorted().forEach((digest, at) => bytes.write(digest, at * digestBytes, 'hex'))
  return bodies
}

/** `longest`: milliseconds after which a thread that has begun a body is not waited for any more. */
export function bodyTable(bodies: SharedBodies, longest = 1_000): BodyTable {
  const { states, sizes, costs } = bodies
  const find = finder(bodies)
  return {
    fill(digest, check) {
      const at = find(digest)
      if (at === -1 || Atomics.compareExchange(states, at, open, inWork) !== open) return
      const body = check()
      sizes[at] = body?.size ?? 0
      costs[at] = body?.cost ?? Number.NaN
      Atomics.store(states, at, body === null ? leftToOther : checked)
      Atomics.notify(states, at)
    },
    take(digest) {
      const at = find(digest)
      if (at === -1 || Atomics.compareExchange(states, at, open, leftToOther) === open) return null
      Atomics.wait(states, at, inWork, longest)
      if (Atomics.load(states, at) !== checked) return null
      const [size, cost] = [sizes[at] as number, costs[at] as number]
      return { size, cost: Number.isNaN(cost) ? null : cost }
    },
  }
}

/** Gives the place of a digest, or -1. */
function finder(bodies: SharedBodies): (digest: string) => number {
  const bytes = viewOf(bodies)
  const wanted = Buffer.alloc(digestBytes)
  return (digest) => {
    if (wanted.write(digest, 'hex') !== digestBytes) return -1
    let [from, to] = [0, bodies.states.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const start = middle * digestBytes
      const order = bytes.compare(wanted, 0, digestBytes, start, start + digestBytes)
      if (order === 0) return middle
      if (order < 0) from = middle + 1
      else to = middle
    }
    return -1
  }
}

const viewOf = ({ digests }: SharedBodies): Buffer =>
  Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength)
