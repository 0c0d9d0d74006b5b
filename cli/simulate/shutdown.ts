/** Stops the simulator: waits for work in flight and reports what it had to abort. */
import type { Simulator } from '../../simulator/index.ts'
import type { Io } from '../io.ts'

type Pending = Awaited<ReturnType<Simulator['drain']>>

const names = {
  answers: ['response', 'responses'],
  turns: ['turn', 'turns'],
  deliveries: ['delivery', 'deliveries'],
} as const satisfies Record<keyof Pending, readonly [one: string, several: string]>

/** Such as `1 response, 2 turns`; kinds with none are left out. */
export function pendingText(inFlight: Pending): string {
  const kinds = Object.keys(names) as readonly (keyof Pending)[]
  return kinds
    .filter((kind) => inFlight[kind] > 0)
    .map((kind) => `${inFlight[kind]} ${names[kind][inFlight[kind] === 1 ? 0 : 1]}`)
    .join(', ')
}

/** Waits at most `seconds` for work in flight. */
export async function shutDown(simulator: Simulator, seconds: number, io: Io): Promise<void> {
  const begun = pendingText(await simulator.drain({ withinMs: 0 }))
  if (begun !== '' && seconds > 0)
    io.err(`waiting up to ${seconds} s for ${begun}; a second signal stops at once.\n`)
  const left = pendingText(await simulator.drain({ withinMs: seconds * 1_000 }))
  if (left !== '') io.err(`aborted ${left} after ${seconds} s; increase --drain to wait longer.\n`)
  await simulator.close()
}
