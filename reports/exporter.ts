/** One report format: a pure function of a run. */
import type { Run } from '../suites/record.ts'

export interface Exporter {
  /** What a user calls the format. */
  name: string
  /** File name within the output folder. */
  file: string
  /** Throws only for a defect of ours; anything a target sent is data. */
  render: (run: Run) => string | Uint8Array
}
