/** What lay beside the reports when they were made. */
import type { Beside } from '../../reports/formats/exporter.ts'
import { changesProblem } from '../../reports/bundle/schema/problem.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'

/** `ends`: where the run ends that was cut off. */
export function besideOf({ found, json }: OpenedBundle, ends: string | null): Beside {
  const files = found.map(({ path }) => path).filter((path) => path.startsWith('counterexamples/'))
  const reading = json('changes.json')
  const changes = reading.ok && changesProblem(reading.value) === null ? reading.value : null
  return {
    files: new Set(files),
    ...(ends === null ? {} : { ends }),
    ...(changes === null ? {} : { changes: changes as unknown as NonNullable<Beside['changes']> }),
  }
}
