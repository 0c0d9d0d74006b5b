/**
 * The ways that are planted somewhere: in the second server, in the other client, or in the other receiver. The older
 * chat variant is served by the simulator alone: its ways are faults there, of the same names.
 */
import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faultIds, type FaultId } from '../../simulator/index.ts'
import { otherFaults } from '../other-server/start.ts'

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const listing = 'import planting; planting.load(); print(*planting.DEFECTS, sep="\\n")'

function plantedIn(name: string): readonly string[] {
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: [folder(name), folder('other-server')].join(delimiter),
  }
  const { stdout } = spawnSync('python3', ['-B', '-c', listing], { env, encoding: 'utf8' })
  return stdout.trim().split('\n')
}

/** Throws for what is none. */
export function olderFault(way: string): FaultId {
  const fault = faultIds.find((id) => id === way && id.startsWith('older-'))
  if (fault === undefined) throw new Error(`the simulator has no fault ${way}`)
  return fault
}

export const plantedWays = (): ReadonlySet<string> =>
  new Set([
    ...otherFaults(),
    ...plantedIn('other-client'),
    ...plantedIn('other-receiver'),
    ...faultIds.filter((id) => id.startsWith('older-')),
  ])
