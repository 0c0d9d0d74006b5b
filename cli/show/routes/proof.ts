/** For each check, what was shown to fail it: clause × check × fault. */
import { killersOf, killMatrix } from '../../../reports/proof/kill-matrix.ts'
import { byArea } from '../../../reports/verdicts/tally.ts'
import type { Fault, ProofList } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'

export function proofOf(runs: OpenedRuns, run: NamedRun): ProofList {
  const { findings } = runs.record(run)
  return {
    rows: [...byArea(findings).values()].flat().map(({ check, subject, verdict }) => ({
      check,
      clause: subject,
      verdict,
      faults: faultsOf(check),
    })),
  }
}

/** The most specific first. */
export function faultsOf(check: string): Fault[] {
  return killersOf(check).map(({ fault, title }) => ({ fault, title, kind: kindOfFault(fault) }))
}

function kindOfFault(fault: string): Fault['kind'] {
  if (Object.hasOwn(killMatrix.faults, fault)) return 'simulator'
  return Object.hasOwn(killMatrix.receivers, fault) ? 'receiver' : 'client'
}
