/** A simulator that `check` started is gone after the run: how to start one like it, for requests by hand. */
import { quote } from './curl.ts'
import { ownCommand, simulatorPort } from './own-command.ts'
import type { RunRecord } from './record.ts'

export function simulateAgain({ run, target }: Pick<RunRecord, 'run' | 'target'>): string | null {
  const { kind, arguments: named = [] } = target
  if (kind !== 'simulator') return null
  const words = ['--port', String(simulatorPort), ...named.slice(1)]
  return `${run.origin?.command?.start ?? ownCommand} simulate ${words.map((word) => quote(Buffer.from(word))).join(' ')}`
}
