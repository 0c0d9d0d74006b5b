/** One report format: a pure function of a run. */
import type { Run } from '../../bundle/record.ts'
import type { Comparison } from '../diff/compare.ts'

export interface Beside {
  /** Paths below the folder of the report. */
  files: ReadonlySet<string>
  /** What changed since an earlier run, where one was named. */
  changes?: Comparison
  /** Where the journal of a run ends that was cut off, in words. */
  ends?: string
}

export interface Exporter {
  name: string
  /** File name within the output folder. */
  file: string
  /** Throws only for a defect of ours; anything a target sent is data. Without `beside` the report stands alone. */
  render: (run: Run, beside?: Beside) => string | Uint8Array
}
