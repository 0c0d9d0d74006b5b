/** Streams that stay open: what 5,000 of them take of memory, and whether each comes to its end. */
import { connect, type Socket } from 'node:net'
import { startChild, type Child } from './child.ts'
import { rowOf, type Row } from './figures.ts'
import { keyMark } from './key-mark.ts'
import { inTurn, type Effort, type Side } from './measure.ts'
import type { Running } from './simulator-child.ts'
import { stopping, type Keep } from './stopping.ts'
import { sampleOf, turnOf, type Turn } from './turn.ts'

const streams = 5_000
/** So many are opened side by side: fewer than a server keeps waiting to be accepted. */
const abreast = 100

/** A stream whose first token came, until its last chunk. */
interface Open {
  socket: Socket
  ended: Promise<boolean>
}

function open(port: number, bytes: string): Promise<Open> {
  return new Promise((resolve, reject) => {
    let text = ''
    let finish = (_whole: boolean): void => undefined
    const ended = new Promise<boolean>((whole) => void (finish = whole))
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

/** The turn as bytes on a connection of its own. */
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
  await Promise.all(Array.from({ length: abreast }, lane))
  return opened
}

interface Held {
  /** Of the server while all are open, in megabytes. */
  resident: number
  lost: number
}

async function holdOpen(server: Child<unknown>, port: number, turn: Turn): Promise<Held> {
  const opened = await openAll(port, turn)
  const resident = Number(await server.ask('resident')) / 1e6
  await server.ask('release')
  const whole = await Promise.all(opened.map(({ ended }) => ended))
  for (const { socket } of opened) socket.destroy()
  return { resident, lost: streams - whole.filter(Boolean).length }
}

/** A server for each round: memory that one gave back to itself would hide what the next takes. */
function side(name: string, start: (keep: Keep) => Promise<Started>, lost: number[]): Side {
  return {
    name,
    once: () =>
      stopping(async (keep) => {
        const { server, port, turn } = await start(keep)
        const held = await holdOpen(server, port, turn)
        lost.push(held.lost)
        return held.resident
      }),
  }
}

interface Started {
  server: Child<unknown>
  port: number
  turn: Turn
}

async function startSimulator(keep: Keep): Promise<Started> {
  const server = await keep(startChild<Running>('bench/simulator-child.ts', 'hold'))
  return { server, port: server.ready.port, turn: turnOf(server.ready, 'in one go', { stream: true }) }
}

async function startBare(keep: Keep): Promise<Started> {
  const { ready } = await keep(startChild<Running>('bench/simulator-child.ts'))
  const turn = turnOf(ready, 'in one go', { stream: true })
  const sample = { ...(await sampleOf(ready.url, turn)), held: true }
  const server = await keep(startChild<number>('bench/bare-child.ts', JSON.stringify(sample)))
  return { server, port: server.ready, turn }
}

export async function openStreams({ quick }: Effort): Promise<readonly Row[]> {
  const lost: number[] = []
  const [ours, theirs] = await inTurn(
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
        reach: { of: 'ours', value: 250 },
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
        reach: { of: 'ours', value: 0 },
      },
      { name: 'simulator', values: lost },
    ),
  ]
}
