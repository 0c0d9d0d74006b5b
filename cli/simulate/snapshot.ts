/** `--snapshot FILE`: the snapshot that the simulator starts from. Loaded only if the option is given. */
import { readFileSync } from 'node:fs'
import type { Simulator } from '../../simulator/index.ts'
import { optionsFrom, snapshotIn } from '../../simulator/persistence/snapshot.ts'
import { readProblem } from '../../suites/config/file/unreadable.ts'
import { UsageError } from '../usage-error.ts'

export interface StartSnapshot {
  /** Of the tenant. */
  readonly options: ReturnType<typeof optionsFrom>
  /** Throws a UsageError for a snapshot that cannot be restored. */
  restore(simulator: Simulator): void
}

/** Throws a UsageError for a file that is missing, or is not an undamaged snapshot. */
export function startSnapshot(path: string): StartSnapshot {
  const label = `--snapshot ${path}`
  const snapshot = explained(label, () => snapshotIn(jsonIn(path, label)))
  return {
    options: optionsFrom(snapshot),
    restore: ({ tenant }) => explained(label, () => tenant.restore(snapshot)),
  }
}

function jsonIn(path: string, label: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${label}: ${readProblem(path, error)}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      `${label}: that is not JSON; download a snapshot with GET /_sim/v1/tenants/{id}/snapshot.`,
    )
  }
}

function explained<T>(label: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${label}: ${error.message}`)
    throw error
  }
}
