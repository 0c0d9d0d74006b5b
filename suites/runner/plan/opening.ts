/** What is known of a run before its first request: it stands at the head of its plan, its journal and its record. */
import { defaultVendor } from '../../../spec/identifiers.ts'
import { contractOf } from '../../policy/clause-set.ts'
import type { Opening } from '../../../reports/bundle/record.ts'
import type { Target } from '../../config/target.ts'
import type { RunContext } from '../run-context.ts'
import { checkId, subjectsOf } from '../outcome/judge.ts'
import { digestOf, type Scenarios } from './plan.ts'
import type { SessionOptions } from '../progress.ts'

interface Beginning {
  target: Target
  options: Pick<SessionOptions, 'scenarios' | 'seed' | 'only'>
  runContext: Pick<RunContext, 'version' | 'runId' | 'startedAt'>
}

export function openingOf({ target, options, runContext }: Beginning): Opening {
  const { name, kind, baseUrl, implementation, fileDigest, modifications, vendor, identifiers } = target
  return {
    schemaVersion: 1,
    tool: toolOf(runContext.version, options.scenarios),
    run: {
      id: runContext.runId,
      seed: options.seed,
      profile: target.profile,
      only: options.only ?? [],
      optIn: target.optIn,
      startedAt: runContext.startedAt,
    },
    target: {
      name,
      kind,
      baseUrl,
      ...implementation,
      ...(vendor === undefined || vendor === defaultVendor ? {} : { vendor }),
      ...(identifiers === undefined ? {} : { identifiers }),
      ...(fileDigest === undefined ? {} : { fileDigest }),
      ...(modifications === undefined ? {} : { modifications }),
    },
    contract: contractOf(target.contract),
    budgets: target.budgets,
  }
}

/** Who judges, and by which checks. */
export function toolOf(version: string, scenarios: Scenarios): Opening['tool'] {
  return { name: 'touchstone', version, node: process.version, suite: suiteDigest(scenarios) }
}

/** The digest of all checks of all profiles, whatever was planned of them. */
function suiteDigest(scenarios: Scenarios): string {
  const checks = Object.entries(scenarios).flatMap(([id, scenario]) =>
    subjectsOf(scenario).map((subject) => checkId(id, subject)),
  )
  return digestOf(checks)
}
