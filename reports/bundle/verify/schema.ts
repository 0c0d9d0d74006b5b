/** Whether the documents of a run have the form that is published. */
import {
  journalLineProblem,
  judgingProblem,
  manifestProblem,
  planProblem,
  runProblem,
  type Problem,
} from '../schema/problem.ts'
import { isPlainlySpelled, parseJson, type JsonReading } from '../json.ts'
import { manifestFile, statementFile } from '../seal/names.ts'
import type { OpenedBundle } from './opened-bundle.ts'
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
  const found = [...[...files, ...statement].flatMap((file) => problemIn(file, bundle)), ...linesOf(bundle)]
  const named = [...files, 'journal.ndjson']
  return judged(
    found,
    `${named.slice(0, -1).join(', ')} and ${named.at(-1)} match the published JSON Schemas`,
    'the published JSON Schemas do not match',
  )
}

function problemIn(file: string, { json, bytes }: OpenedBundle): readonly string[] {
  const reading = json(file)
  return problemsOf(file, bytes(file)?.toString('utf8') ?? '', reading, problems[file])
}

function problemsOf(
  where: string,
  text: string,
  reading: JsonReading,
  problem: Problem = () => null,
): readonly string[] {
  if (!reading.ok) return [`${where}: ${reading.why}`]
  const mismatch = problem(reading.value)
  return [
    ...(mismatch === null ? [] : [`${where}${mismatch}`]),
    ...(isPlainlySpelled(text, reading.value)
      ? []
      : [`${where}: is not spelled as a run spells it; another reader may find something else in it`]),
  ]
}

/** The last line may be torn; the chain is looked at for that. */
function linesOf({ bytes }: OpenedBundle): readonly string[] {
  const lines = bytes('journal.ndjson')?.toString('utf8').split('\n').slice(0, -1) ?? []
  return lines.flatMap((line, at) =>
    problemsOf(`journal.ndjson, line ${at + 1}`, line, parseJson(line), journalLineProblem),
  )
}
