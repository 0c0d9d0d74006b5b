/** What stands beside the journal of a run that has ended: its record, every report made from it, and a seal over all. */
import type { Beside } from '../../reports/exporter.ts'
import type { Run } from '../../suites/record.ts'
import { sealFolder, withSigner } from '../seal/seal.ts'
import type { Signer } from '../seal/signer.ts'
import { reportsOf, writeBundle, type Bundle } from './bundle.ts'
import type { Cleaning } from './cleaning.ts'
import { writeCounterexamples } from './counterexamples.ts'
import type { Folder } from './folder.ts'
import { writing } from './keeping.ts'

export interface Leaving {
  folder: Folder
  /** Looks for secrets once more, in everything and before anything is written. */
  cleaning: Pick<Cleaning, 'mustBeClean'>
  /** Null: the folder is sealed without a signature. */
  signer: Signer | null
  counterexamples?: (run: Run) => Bundle
}

/** `kept`: as the journal gave it. Gives the run with what its reports were made beside. */
export function leaveReports(kept: Run, means: Leaving): { run: Run; beside: Beside } {
  const { folder, cleaning, signer, counterexamples = () => new Map() } = means
  const run = { ...kept, record: withSigner(kept.record, signer) }
  const stories = counterexamples(run)
  const beside: Beside = { files: new Set(stories.keys()) }
  const reports = reportsOf(run, beside)
  cleaning.mustBeClean(new Map([...reports, ...stories]))
  writing(folder, () => {
    writeBundle(reports, folder)
    writeCounterexamples(stories, folder)
    sealFolder(folder.path, run.record, signer)
  })
  return { run, beside }
}
