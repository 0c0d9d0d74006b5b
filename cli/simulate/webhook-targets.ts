/** `--allow-target` and `--name-server`. */
import type { SimulatorOptions } from '../../simulator/index.ts'
import { readAllowed } from '../../simulator/webhooks/guard/allowed.ts'
import { guardBase, withTargets } from '../../simulator/webhooks/guard-rules.ts'
import { UsageError } from '../usage-error.ts'
import type { SimulatorTenantOptions } from './tenant-options.ts'

/** Throws a UsageError for an invalid value. */
export function targetsOf({
  allowTarget,
  nameServer,
}: Pick<SimulatorTenantOptions, 'allowTarget' | 'nameServer'>): Pick<SimulatorOptions, 'targets'> {
  if (allowTarget === undefined && nameServer === undefined) return {}
  for (const target of allowTarget ?? []) tried('--allow-target', () => readAllowed([target]))
  const zones = Object.fromEntries((nameServer ?? []).map(zoneIn))
  return { targets: { ...(allowTarget ? { allow: allowTarget } : {}), ...(nameServer ? { zones } : {}) } }
}

/** Converts a RangeError of `read` into a UsageError that names the option. */
function tried(option: string, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${option} ${error.message}`)
  }
}

function zoneIn(text: string): [zone: string, address: string] {
  const [zone = '', address, ...more] = text.split('=')
  if (address === undefined || more.length > 0)
    throw new UsageError(
      `--name-server ${text}: give a zone and an address, such as moving.example=127.0.0.1:5300.`,
    )
  tried('--name-server', () => withTargets(guardBase.guard, { zones: { [zone]: address } }))
  return [zone, address]
}
