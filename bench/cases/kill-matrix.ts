/** The whole kill matrix, held against its file, as `npm run kill-matrix -- --check` does it. */
import { rowOf, type BenchRow } from '../figures.ts'
import { timed, type Effort } from '../measure.ts'
import { run } from '../cache.ts'

/** Takes a minute, so a quick run has none. */
export async function killMatrix({ quick }: Effort): Promise<readonly BenchRow[]> {
  if (quick) return []
  const ms = await timed(async () => run(process.execPath, 'test/kill-matrix/main.ts', '--check'))
  const question = {
    id: 'killMatrix/wall',
    what: 'kill matrix, all faults',
    unit: 's',
    better: 'lower',
  } as const
  return [rowOf(question, { name: 'npm run kill-matrix', values: [ms / 1_000] })]
}
