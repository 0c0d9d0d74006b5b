/** The run record itself: what every other format is made from, and what other tools should read. */
import type { Exporter } from './exporter.ts'

export const runJson: Exporter = {
  name: 'json',
  file: 'run.json',
  render: ({ record }) => `${JSON.stringify(record, null, 2)}\n`,
}
