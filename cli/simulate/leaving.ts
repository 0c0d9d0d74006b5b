/** How `touchstone simulate` ends: what was begun gets its time, and what did not get enough of it is told. */
import type { Simulator } from '../../simulator/index.ts'
import type { Io } from '../io.ts'

type UnderWay = Awaited<ReturnType<Simulator['drain']>>

const names = {
  answers: ['answer', 'answers'],
  turns: ['turn', 'turns'],
  deliveries: ['delivery', 'deliveries'],
} as const satisfies Record<keyof UnderWay, readonly [one: string, several: string]>

/** Such as `1 answer, 2 turns`; nothing for what there is none of. */
export function listed(underWay: UnderWay): string {
  const kinds = Object.keys(names) as readonly (keyof UnderWay)[]
  return kinds
    .filter((kind) => underWay[kind] > 0)
    .map((kind) => `${underWay[kind]} ${names[kind][underWay[kind] === 1 ? 0 : 1]}`)
    .join(', ')
}

/** Ends it. `seconds`: how long what is under way may take. */
export async function leave(simulator: Simulator, seconds: number, io: Io): Promise<void> {
  const begun = listed(await simulator.drain({ withinMs: 0 }))
  if (begun !== '' && seconds > 0)
    io.err(`waiting up to ${seconds} s for ${begun}; told once more, it ends at once.\n`)
  const left = listed(await simulator.drain({ withinMs: seconds * 1_000 }))
  if (left !== '') io.err(`broke off ${left}, not done after ${seconds} s; --drain gives more.\n`)
  await simulator.close()
}
