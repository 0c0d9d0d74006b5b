/** A simulator that `check` started is gone after the run: how to start one like it, for requests by hand. */
import { quote } from './curl.ts'
import { ownCommand } from './own-command.ts'
import type { RunRecord } from './record.ts'

const port = 4010
/** Where the simulator of `simulateAgain` listens. */
export const simulatorUrl = `http://127.0.0.1:${port}`

/** The command; null if the target was no simulator. */
export function simulateAgain({ kind, arguments: named = [] }: RunRecord['target']): string | null {
  if (kind !== 'simulator') return null
  const words = ['--port', String(port), ...named.slice(1)]
  return `${ownCommand} simulate ${words.map((word) => quote(Buffer.from(word))).join(' ')}`
}
