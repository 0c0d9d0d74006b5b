/** Whether the documents of a run have the form that is published. */
import { journalFile } from '../names.ts'
import { documentsWithSchema } from './mismatches.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { judged, type InspectionLine } from './line.ts'

/** Missing files are reported by another inspection. */
export function inspectSchema({ has, mismatches }: OpenedBundle): InspectionLine {
  const named = [...documentsWithSchema.filter(has), journalFile]
  return judged(
    mismatches,
    `${named.slice(0, -1).join(', ')} and ${named.at(-1)} match the published JSON Schemas`,
    'the published JSON Schemas do not match',
  )
}
