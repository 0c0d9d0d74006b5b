/** The process that sends turns, on request. */
import { startChild } from '../../bench/child.ts'
import type { Started } from '../../bench/stopping.ts'
import type { Order, Stress, Stressed } from './load-child.ts'
import type { Access } from './replica-child.ts'

export type { Stressed } from './load-child.ts'

export interface StressLoader extends Started {
  /** Whose turns are sent from now on; the first ones are the busy ones where some are. */
  use(tenants: readonly Access[]): Promise<void>
  /** Throws where an answer was not 200. */
  stress(wanted: Partial<Stress> & Pick<Stress, 'ports' | 'until'>): Promise<Stressed>
  /** The same, and whatever was answered counts. */
  bear(wanted: Partial<Stress> & Pick<Stress, 'ports' | 'until'>): Promise<Stressed>
}

const usual = { connections: 10, exponent: 0, byKey: false, extra: {}, message: 'Where is my order?' }

export async function startStressLoader(): Promise<StressLoader> {
  const { ask, stop } = await startChild('lab/scale/load-child.ts')
  const send = async (order: Order): Promise<unknown> => {
    const answer = (await ask(order)) as { result: unknown } | { threw: string }
    if ('threw' in answer) throw new Error(`load: ${answer.threw}`)
    return answer.result
  }
  const bear: StressLoader['bear'] = async (wanted) =>
    (await send({ stress: { ...usual, ...wanted } })) as Stressed
  return {
    stop,
    bear,
    use: async (tenants) => void (await send({ tenants })),
    async stress(wanted) {
      const stressed = await bear(wanted)
      const other = Object.keys(stressed.statuses).filter((status) => status !== '200')
      if (other.length === 0) return stressed
      throw new Error(`answers were ${JSON.stringify(stressed.statuses)}; the figures would mean nothing`)
    },
  }
}
