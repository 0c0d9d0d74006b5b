/** All hostile clients and receivers, in a process of their own: its time is not that of the honest ones. */
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { createRandom } from '../../simulator/tenant/random.ts'
import { attacks, type Attacker } from './attacks.ts'
import { openHostileReceivers } from './hostile-receivers.ts'
import { accesses } from './tenants.ts'

export interface AttackReport {
  /** Hostile acts so far, by attack. */
  readonly acts: Readonly<Record<string, number>>
  /** Connections of hostile receivers. */
  readonly received: number
  /** Answers with status 500: no client may bring about a defect. */
  readonly defects: number
}

export type AttackOrder = 'begin' | 'end'

// On a real network the attackers have machines of their own; here they get what the others leave.
setPriority(19)

const [seed = '1', only = '', ...urls] = process.argv.slice(2)
const { hostile } = await accesses()
const random = createRandom(`siege/${seed}`)
await using receivers = await openHostileReceivers(urls[0] ?? '')
const acts: Record<string, number> = {}
let defects = 0

function attacker(name: string, signal: AbortSignal): Attacker & { end(): void } {
  const sockets = new Set<Socket>()
  const own = random.fork(name)
  acts[name] ??= 0
  return {
    signal,
    random: own,
    receivers: receivers.urls,
    count: () => void (acts[name] = (acts[name] ?? 0) + 1),
    tenant: () => hostile[own.below(hostile.length)]!,
    dial: () => {
      const { hostname, port } = new URL(urls[own.below(urls.length)] ?? '')
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // Listening starts no reading: that is up to the attack.
      socket.on('data', (bytes: Buffer) => void (bytes.includes('HTTP/1.1 500') && defects++))
      return socket.pause()
    },
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

let stop = async (): Promise<void> => undefined

function begin(): void {
  const end = new AbortController()
  const chosen = Object.entries(attacks).filter(([name]) => name.includes(only))
  const running = chosen.map(async ([name, attack]) => {
    const one = attacker(name, end.signal)
    await attack(one)
    one.end()
  })
  stop = async () => {
    end.abort()
    await Promise.all(running)
  }
}

const report = (): void =>
  void process.send?.({ acts, received: receivers.met, defects } satisfies AttackReport)

process.on('message', (order: AttackOrder) => {
  if (order === 'begin') begin()
  else void stop().then(report)
})
await new Promise((resolve) => process.once('disconnect', resolve))
process.exit(0)
