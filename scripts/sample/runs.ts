/** The runs that stand in reports/sample for a reader: one that is conformant, and one with a defect of each kind. */
export const sampleFolder = 'reports/sample'
/** The public half of the key that both are signed with; the other half is thrown away. */
export const sampleKey = `${sampleFolder}/key.pub.pem`

export interface SampleRun {
  /** The folder below `sampleFolder`. */
  name: string
  /** The words of the command line that make it, but for where it goes. */
  words: readonly string[]
  exitCode: number
}

const run = ['check', 'simulator', '--profile', 'smoke', '--seed', '1', '--quiet']
const faults = ['replay-unmarked', 'done-without-credits', 'third-attempt-of-another-id']

export const sampleRuns = [
  { name: 'conformant', words: run, exitCode: 0 },
  { name: 'faulty', words: [...run, ...faults.flatMap((fault) => ['--fault', fault])], exitCode: 1 },
] as const satisfies readonly SampleRun[]
