/** The ways that are planted somewhere: in the second server, in the other client, or in the other receiver. */
import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { otherFaults } from '../other-server/start.ts'

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const listing = 'import planting; planting.load(); print(*planting.DEFECTS, sep="\\n")'

function plantedIn(name: string): readonly string[] {
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: [folder(name), folder('other-client')].join(delimiter),
  }
  const { stdout } = spawnSync('python3', ['-B', '-c', listing], { env, encoding: 'utf8' })
  return stdout.trim().split('\n')
}

export const plantedWays = (): ReadonlySet<string> =>
  new Set([...otherFaults(), ...plantedIn('other-client'), ...plantedIn('other-receiver')])
