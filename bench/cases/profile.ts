/** The whole standard profile against the simulator, each time in a process that has just begun, as a user has it. */
import { startChild } from '../processes/child.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import type { Effort } from '../measure.ts'
import type { Profiled } from '../processes/profile-child.ts'

async function once(): Promise<Profiled> {
  const child = await startChild<Profiled>('bench/processes/profile-child.ts')
  await child.stop()
  const { conformance } = child.ready
  if (conformance !== 'conformant')
    throw new Error(`the simulator was judged ${conformance}, so the figures would be meaningless`)
  return child.ready
}

export async function profile({ quick }: Effort): Promise<readonly BenchRow[]> {
  const runs: Profiled[] = []
  for (let round = 0; round < (quick ? 1 : 3); round += 1) runs.push(await once())
  const series = (pick: (run: Profiled) => number) => ({
    name: 'touchstone check simulator',
    values: runs.map(pick),
  })
  const question = { unit: 's', better: 'lower' } as const
  const what = 'standard profile'
  return [
    rowOf(
      { ...question, id: 'profile/wall', what },
      series(({ wall }) => wall / 1_000),
    ),
    rowOf(
      { ...question, id: 'profile/busy', what: `${what}: not waiting` },
      series(({ busy }) => busy / 1_000),
    ),
    rowOf(
      { id: 'profile/requests', what: `${what}: sent`, unit: 'requests', better: 'lower' },
      series(({ requests }) => requests),
    ),
  ]
}
