/** Everything that is looked at, in this order. */
import type { KeyObject } from 'node:crypto'
import { inspectAnswers } from './answers.ts'
import { inspectEvidence } from '../../reports/bundle/verify/evidence.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import { inspectFiles } from '../../reports/bundle/verify/files.ts'
import { inspectJournal } from '../../reports/bundle/verify/journal.ts'
import { notChecked, type InspectionLine } from '../../reports/bundle/verify/line.ts'
import { inspectManifest } from '../../reports/bundle/verify/manifest.ts'
import { inspectPlan } from './plan.ts'
import { inspectRecord } from './record.ts'
import { inspectVerdicts } from './rejudged.ts'
import { inspectReports } from './reports.ts'
import { inspectSchema } from '../../reports/bundle/verify/schema.ts'
import { inspectSignature } from '../../reports/bundle/verify/signature.ts'

export interface Asked {
  /** Whose signature is expected. */
  key: KeyObject | null
  rejudge: boolean
}

/** Null where there is nothing of the kind. */
type Inspection = (bundle: OpenedBundle, asked: Asked) => InspectionLine | null

export const inspections = {
  files: inspectFiles,
  signature: (bundle, { key }) => inspectSignature(bundle, key),
  manifest: inspectManifest,
  schema: inspectSchema,
  plan: inspectPlan,
  journal: inspectJournal,
  evidence: inspectEvidence,
  record: inspectRecord,
  answers: inspectAnswers,
  reports: inspectReports,
  verdicts: (bundle, { rejudge }) =>
    rejudge ? inspectVerdicts(bundle) : notChecked('not recomputed: give --rejudge'),
} as const satisfies Readonly<Record<string, Inspection>>
