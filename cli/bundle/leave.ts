/** What stands beside the journal of a run that has ended: its record, every report made from it, and a seal over all. */
import type { Comparison } from '../../reports/diff/index.ts'
import type { Beside } from '../../reports/exporter.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { comparisonOf } from '../diff/comparison.ts'
import type { Earlier } from '../diff/earlier.ts'
import { sealFolder, withSigner } from '../seal/seal.ts'
import type { Signer } from '../seal/signer.ts'
import { reportsOf, writeBundle, type Bundle } from './bundle.ts'
import type { Cleaning } from './cleaning.ts'
import { writeCounterexamples } from './counterexamples.ts'
import { createMaking, type Defect } from './defects.ts'
import type { Folder } from './folder.ts'
import { writing } from './keeping.ts'
import { ledgerText } from './ledger.ts'
import { changesFile, ledgerFile } from './names.ts'

export interface Leaving {
  folder: Folder
  /** Looks for secrets once more, in everything and before anything is written. */
  cleaning: Pick<Cleaning, 'mustBeClean'>
  /** Null: the folder is sealed without a signature. */
  signer: Signer | null
  /** An earlier run: what changed since then is told too. */
  since?: Earlier | null
  /** Where the run ends, in words, if it was cut off. */
  ends?: string | null
  counterexamples?: (run: Run) => Bundle
}

export interface Left {
  run: Run
  /** What its reports were made beside. */
  beside: Beside
  /** What is not there, for a reason of ours; all else is. */
  defects: readonly Defect[]
}

/** `kept`: as the journal gave it. */
export function leaveReports(kept: Run, deps: Leaving): Left {
  const { folder, cleaning, signer, since = null, ends = null } = deps
  const { make, defects } = createMaking()
  const run = { ...kept, record: withSigner(kept.record, signer) }
  const scenarios = make('counterexamples', () => deps.counterexamples?.(run)) ?? new Map<string, string>()
  const files = new Set(scenarios.keys())
  const changes = since && make('changes', () => comparisonOf(since, { run, ends, files }))
  const beside: Beside = { files, ...(changes ? { changes } : {}), ...(ends === null ? {} : { ends }) }
  const reports = new Map([...reportsOf(run, beside, make), ...filesOf(changes)])
  cleaning.mustBeClean(new Map([...reports, ...scenarios, [ledgerFile, ledgerText(folder.path)]]))
  writing(folder, () => {
    writeBundle(reports, folder)
    writeCounterexamples(scenarios, folder)
    sealFolder(folder.path, run.record, signer)
  })
  return { run, beside, defects }
}

function filesOf(changes: Comparison | null): Bundle {
  return changes === null ? new Map() : new Map([[changesFile, `${JSON.stringify(changes, null, 2)}\n`]])
}
