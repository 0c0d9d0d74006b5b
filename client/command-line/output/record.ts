/** Data on the way out: indented for people, on one line with `--json`. */
import type { Io } from '../io.ts'

export function printRecord(record: unknown, { json }: { json?: true }, io: Io): void {
  io.out(`${JSON.stringify(record, null, json ? 0 : 2)}\n`)
}
