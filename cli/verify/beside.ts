/** What lay beside the reports when they were made. */
import type { Beside } from '../../reports/exporter.ts'
import type { Exhibit } from './exhibit.ts'

export function besideOf({ found }: Exhibit): Beside {
  const files = found.map(({ path }) => path).filter((path) => path.startsWith('counterexamples/'))
  return { files: new Set(files) }
}
