/** A target file of a staging server with a version: a tenant of the simulator. */
import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { stateIds } from '../../spec/index.ts'

/** Refers to the variables URL, KEY and AGENT. */
export function writeVersionTarget(file: string, version = '4.2.1'): void {
  const target = {
    apiVersion: 'touchstone/v1',
    target: { name: 'acme', kind: 'staging', baseUrl: 'env:URL', implementation: { version } },
    principals: { main: { bearer: 'env:KEY', scopes: ['chat'] } },
    agents: { plain: 'env:AGENT' },
    states: Object.fromEntries(stateIds.map((state) => [state, { provide: 'none', why: 'not prepared' }])),
    budgets: { requestsPerMinute: 60_000 },
  }
  writeFileSync(file, stringify(target))
}
