/** Whether the documents of a run have the form that is published. */
import {
  journalLineProblem,
  judgingProblem,
  manifestProblem,
  planProblem,
  runProblem,
  type Problem,
} from '../../reports/schema/problem.ts'
import { parseJson } from '../../suites/wire/json.ts'
import { manifestFile } from '../seal/names.ts'
import type { Exhibit } from './exhibit.ts'
import { judged, type Line } from './line.ts'

const problems: Readonly<Record<string, Problem>> = {
  'run.json': runProblem,
  'plan.json': planProblem,
  'judging.json': judgingProblem,
  [manifestFile]: manifestProblem,
}

/** What is not there is told of elsewhere. */
export function inspectSchema(exhibit: Exhibit): Line {
  const files = Object.keys(problems).filter((file) => exhibit.has(file))
  const found = [...files.flatMap((file) => problemIn(file, exhibit)), ...linesOf(exhibit)]
  const named = [...files, 'journal.ndjson']
  return judged(
    found,
    `${named.slice(0, -1).join(', ')} and ${named.at(-1)} have the form that is published`,
    'the form is not that of a run',
  )
}

function problemIn(file: string, { json }: Exhibit): readonly string[] {
  const reading = json(file)
  const told = reading.ok ? problems[file]?.(reading.value) : `: ${reading.why}`
  return told ? [`${file}${told}`] : []
}

/** The last line may be torn; the chain is looked at for that. */
function linesOf({ bytes }: Exhibit): readonly string[] {
  const lines = bytes('journal.ndjson')?.toString('utf8').split('\n').slice(0, -1) ?? []
  return lines.flatMap((line, at) => {
    const reading = parseJson(line)
    const told = reading.ok ? journalLineProblem(reading.value) : `: ${reading.why}`
    return told === null ? [] : [`journal.ndjson, line ${at + 1}${told}`]
  })
}
