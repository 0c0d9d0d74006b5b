/** Memory of 5,000 open streams, and how many of them do not end properly. */
import { connect, type Socket } from 'node:net'
import type { Bare } from '../processes/bare-child.ts'
import { startChild, type Child } from '../processes/child.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import { keyMark } from '../processes/key-mark.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import type { RunningSimulator } from '../processes/simulator-child.ts'
import { withAutoStop, type AutoStop } from '../processes/auto-stop.ts'
import { sampleOf, turnOf, type Turn } from '../processes/turn.ts'

const streams = 5_000
/** Opened at a time: fewer than the backlog of a server. */
const concurrency = 100

/** A stream after its first token. */
interface Open {
  socket: Socket
  ended: Promise<boolean>
}

function open(port: number, bytes: string): Promise<Open> {
  return new Promise((resolve, reject) => {
    let text = ''
    let finish = (_whole: boolean): void => undefined
    const ended = new Promise<boolean>((complete) => void (finish = complete))
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('"token"')) resolve({ socket, ended })
      if (text.endsWith('0\r\n\r\n')) finish(text.includes('"done"'))
    })
    socket.on('error', reject)
    socket.on('close', () => finish(false))
  })
}

/** The request of one stream. */
function bytesOf({ path, headers, body }: Turn, at: number): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const own = body.replace(keyMark, `open-${String(at).padStart(keyMark.length - 5, '0')}`)
  return `${lines.join('\r\n')}\r\n\r\n${own}`
}

async function openAll(port: number, turn: Turn): Promise<readonly Open[]> {
  const opened: Open[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < streams) opened.push(await open(port, bytesOf(turn, (next += 1))))
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return opened
}

interface OpenStreamsResult {
  /** Resident set size of the server while all are open, in megabytes. */
  rss: number
  lost: number
}

async function holdOpen(server: Child<unknown>, port: number, turn: Turn): Promise<OpenStreamsResult> {
  const opened = await openAll(port, turn)
  const rss = Number(await server.request('rss')) / 1e6
  await server.request('release')
  const complete = await Promise.all(opened.map(({ ended }) => ended))
  for (const { socket } of opened) socket.destroy()
  return { rss: rss, lost: streams - complete.filter(Boolean).length }
}

/** Starts a server per round: memory freed by one round but not returned would hide the use of the next. */
function side(name: string, start: (autoStop: AutoStop) => Promise<Started>, lost: number[]): BenchSide {
  return {
    name,
    once: () =>
      withAutoStop(async (autoStop) => {
        const { server, port, turn } = await start(autoStop)
        const result = await holdOpen(server, port, turn)
        lost.push(result.lost)
        return result.rss
      }),
  }
}

interface Started {
  server: Child<unknown>
  port: number
  turn: Turn
}

async function startSimulator(autoStop: AutoStop): Promise<Started> {
  const server = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts', 'hold'))
  return { server, port: server.ready.port, turn: turnOf(server.ready, 'in one go', { stream: true }) }
}

async function startBare(autoStop: AutoStop): Promise<Started> {
  const { ready } = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
  const turn = turnOf(ready, 'in one go', { stream: true })
  const sample: Bare = { ...(await sampleOf(ready.url, turn)), held: true }
  const server = await autoStop(startChild<number>('bench/processes/bare-child.ts', JSON.stringify(sample)))
  return { server, port: server.ready, turn }
}

export async function openStreams({ quick }: Effort): Promise<readonly BenchRow[]> {
  const lost: number[] = []
  const [ours, theirs] = await interleave(
    [side('simulator', startSimulator, lost), side('bare node:http', startBare, [])],
    quick ? 1 : 3,
  )
  return [
    rowOf(
      {
        id: 'openStreams/memory',
        what: '5,000 open streams: resident memory',
        unit: 'MB',
        better: 'lower',
      },
      ours,
      theirs,
    ),
    rowOf(
      {
        id: 'openStreams/lost',
        what: '5,000 open streams: lost',
        unit: 'streams',
        better: 'lower',
      },
      { name: 'simulator', values: lost },
    ),
  ]
}
