/** Whether the documents of a run have the form that is published. */
import { judgingProblem, manifestProblem, planProblem, runProblem, type Problem } from '../schema/problem.ts'
import { manifestFile, statementFile } from '../seal/names.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { mismatchesOf } from './mismatches.ts'
import { judged, type InspectionLine } from './line.ts'

const problems: Readonly<Record<string, Problem>> = {
  'run.json': runProblem,
  'plan.json': planProblem,
  'judging.json': judgingProblem,
  [manifestFile]: manifestProblem,
}

/** Missing files are reported by another inspection. */
export function inspectSchema(bundle: OpenedBundle): InspectionLine {
  const files = Object.keys(problems).filter((file) => bundle.has(file))
  // A file that is not a statement is reported with the signature.
  const statement = bundle.json(statementFile).ok ? [statementFile] : []
  const found = [...[...files, ...statement].flatMap((file) => problemIn(file, bundle)), ...bundle.mismatches]
  const named = [...files, 'journal.ndjson']
  return judged(
    found,
    `${named.slice(0, -1).join(', ')} and ${named.at(-1)} match the published JSON Schemas`,
    'the published JSON Schemas do not match',
  )
}

function problemIn(file: string, { bytes, parse }: OpenedBundle): readonly string[] {
  const text = bytes(file)?.toString('utf8')
  if (text === undefined) return [`${file}: cannot be read`]
  return mismatchesOf(file, text, parse(text), problems[file])
}
