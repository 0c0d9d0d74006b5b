/** Data on the way out: indented for people, on one line with `--json`. */
import type { CommandLineIo } from '../io.ts'

export function printRecord(record: unknown, { json }: { json?: true }, io: CommandLineIo): void {
  io.out(`${JSON.stringify(record, null, json ? 0 : 2)}\n`)
}
