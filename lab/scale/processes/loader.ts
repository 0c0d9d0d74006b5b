/** Controls the process that sends turns. */
import { startChild } from '../../../bench/processes/child.ts'
import type { Started } from '../../../bench/processes/auto-stop.ts'
import type { LoaderCommand, Stress, Stressed } from './load-child.ts'
import type { TenantAccess } from './replica-child.ts'

export type { Stressed } from './load-child.ts'

export interface StressLoader extends Started {
  /** Sets the tenants; with an exponent, the first ones are the busiest. */
  use(tenants: readonly TenantAccess[]): Promise<void>
  /** Throws if a response is not a 200. */
  stress(options: Partial<Stress> & Pick<Stress, 'ports' | 'until'>): Promise<Stressed>
  /** Like `stress`, but accepts any status. */
  stressUnchecked(options: Partial<Stress> & Pick<Stress, 'ports' | 'until'>): Promise<Stressed>
}

const usual = { connections: 10, exponent: 0, byKey: false, extra: {}, message: 'Where is my order?' }

export async function startStressLoader(): Promise<StressLoader> {
  const { request: ask, stop } = await startChild('lab/scale/processes/load-child.ts')
  const send = async (command: LoaderCommand): Promise<unknown> => {
    const answer = (await ask(command)) as { result: unknown } | { threw: string }
    if ('threw' in answer) throw new Error(`load: ${answer.threw}`)
    return answer.result
  }
  const stressUnchecked: StressLoader['stressUnchecked'] = async (options) =>
    (await send({ stress: { ...usual, ...options } })) as Stressed
  return {
    stop,
    stressUnchecked: stressUnchecked,
    use: async (tenants) => void (await send({ tenants })),
    async stress(options) {
      const stressed = await stressUnchecked(options)
      const other = Object.keys(stressed.statuses).filter((status) => status !== '200')
      if (other.length === 0) return stressed
      throw new Error(
        `statuses were ${JSON.stringify(stressed.statuses)}; so the figures would be meaningless`,
      )
    },
  }
}
