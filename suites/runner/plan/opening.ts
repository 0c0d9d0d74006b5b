/** What is known of a run before its first request: the head of its plan, its journal and its record. */
import { defaultVendor } from '../../../spec/identifiers.ts'
import { contractOf } from '../../policy/clause-set-file.ts'
import type { Implementation, Opening } from '../../../bundle/record.ts'
import type { Target } from '../../config/target.ts'
import { checkId, subjectsOf } from '../outcome/judge.ts'
import { planDigest, type Scenarios } from './plan.ts'

type Subject = Omit<Opening['target'], keyof Implementation> &
  Pick<Opening, 'budgets'> &
  Partial<Pick<Target, 'implementation' | 'contract'>>

export function openingOf(
  run: Opening['run'],
  subject: Subject,
  version: string,
  scenarios: Scenarios,
): Opening {
  const { name, kind, baseUrl, implementation, fileDigest, modifications, vendor, identifiers } = subject
  const { client, contract, budgets, keys = {}, arguments: named, requestIdHeader } = subject
  return {
    schemaVersion: 1,
    tool: toolOf(version, scenarios),
    run,
    target: {
      name,
      kind,
      baseUrl,
      ...implementation,
      ...(vendor === undefined || vendor === defaultVendor ? {} : { vendor }),
      ...(identifiers === undefined ? {} : { identifiers }),
      ...(fileDigest === undefined ? {} : { fileDigest }),
      ...(named === undefined ? {} : { arguments: named }),
      ...(requestIdHeader === undefined ? {} : { requestIdHeader }),
      ...(Object.keys(keys).length === 0 ? {} : { keys }),
      ...(modifications === undefined ? {} : { modifications }),
      ...(client === undefined ? {} : { client }),
    },
    contract: contract ?? contractOf(),
    budgets,
  }
}

export function toolOf(version: string, scenarios: Scenarios): Opening['tool'] {
  const checks = Object.entries(scenarios).flatMap(([id, scenario]) =>
    subjectsOf(scenario).map((subject) => checkId(id, subject)),
  )
  return { name: 'touchstone', version, node: process.version, suite: planDigest(checks) }
}
