/** What a simulator has to endure, and the figures of it. Times in ms, sizes in bytes. */
import { once } from 'node:events'
import { askAtLength, closeAll, idle, turnMs } from './clients.ts'
import { serve, type Served } from './served.ts'

export interface Beside {
  /** A turn of somebody else, median: before, and meanwhile. */
  before: number
  meanwhile: number
}

const kibibyte = 1024

/** More than the buffers between two sockets of one machine take. */
const long = { tokens: 256, bytes: 32 * kibibyte }

/** Resolves when so many turns were committed. */
async function committed(served: Served, count: number): Promise<void> {
  while ((await served.ask('turns')).turns < count) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** What a process that is warm takes more after the work, and how long it keeps others waiting. */
async function beside(served: Served, work: () => Promise<void>): Promise<Beside & { grown: number }> {
  await turnMs(served)
  const before = await turnMs(served)
  const { rss } = await served.ask('memory')
  await work()
  const { rss: now } = await served.ask('memory')
  return { before, meanwhile: await turnMs(served), grown: now - rss }
}

export interface SlowReaders extends Beside {
  /** What each stream that nobody reads takes, all of it in memory. */
  each: number
  /** Bytes of a stream, all of which one slow reader got. */
  read: number
  /** Whether it got every event in order. */
  inOrder: boolean
}

/** Streams of 8 MiB that nobody reads; their turns are committed, and then one of them is read bit by bit. */
export async function slowReaders(streams: number): Promise<SlowReaders> {
  const served = await serve({ long })
  try {
    const sockets: ReturnType<typeof askAtLength>[] = []
    const { grown, ...times } = await beside(served, async () => {
      const { turns } = await served.ask('turns')
      for (let n = 0; n < streams; n++) sockets.push(askAtLength(served, `k${n}`))
      await committed(served, turns + streams)
    })
    const [one] = sockets
    const text = one ? await readSlowly(one) : ''
    await closeAll(sockets)
    const order = [...text.matchAll(/"token":"(\d+):/g)].map(([, at]) => Number(at))
    const inOrder = order.length === long.tokens && order.every((at, place) => at === place)
    return {
      ...times,
      each: grown / streams,
      read: text.length,
      inOrder: inOrder && text.includes('"type":"done"'),
    }
  } finally {
    await served.stop()
  }
}

async function readSlowly(socket: ReturnType<typeof askAtLength>): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    socket.pause()
    setImmediate(() => socket.resume())
  })
  socket.resume()
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

export interface Idle extends Beside {
  taken: number
  /** What each connection takes, all of it in memory. */
  each: number
}

/** Connections that were used once and stay. */
export async function idleConnections(count: number): Promise<Idle> {
  const served = await serve({})
  try {
    let taken = 0
    const { grown, ...times } = await beside(served, async () => {
      taken = (await idle(served, count)).length
    })
    return { ...times, taken, each: grown / count }
  } finally {
    await served.stop()
  }
}

export interface Full {
  taken: number
  turnedAway: number
  notices: readonly string[]
  /** Connections taken after the others had gone. */
  takenAfter: number
}

/** More connections than the process may have files open. */
export async function fullHouse(descriptors: number, count: number): Promise<Full> {
  const served = await serve({}, descriptors)
  try {
    const sockets = await idle(served, count)
    await closeAll(sockets)
    // A connection is open until the process has read its end.
    let after = await idle(served, 10)
    while (after.length < 10) {
      await closeAll(after)
      after = await idle(served, 10)
    }
    const { notices } = await served.ask('notices')
    await closeAll(after)
    return { taken: sockets.length, turnedAway: count - sockets.length, notices, takenAfter: after.length }
  } finally {
    await served.stop()
  }
}
