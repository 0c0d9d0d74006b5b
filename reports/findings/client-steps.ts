/** How each step of a client scenario ended, one line per step. */
import type { StepResult } from '../bundle/client-report.ts'
import type { Finding, Run } from '../bundle/record.ts'
import { shorten } from '../visible.ts'
import { runLengths } from './exchanges.ts'

const stepPrefix = 'step '
/** Characters of stderr, so that the line fits the width of a report. */
const longestStderr = 280

/** In the order run; empty for a target that is not a client. */
export function clientSteps(
  finding: Pick<Finding, 'scenario'>,
  { record }: Pick<Run, 'record'>,
): readonly string[] {
  if (record.target.kind !== 'client') return []
  const notes = record.scenarioRuns.find(({ scenario }) => scenario === finding.scenario)?.notes ?? {}
  return Object.entries(notes).flatMap(([name, note]) => {
    if (!name.startsWith(stepPrefix) || typeof note !== 'string') return []
    const step = name.slice(stepPrefix.length)
    const more = notes[`not recorded of ${step}`]
    return [`${lineOf(step, note)}${more === undefined ? '' : `; not recorded: ${more}`}`]
  })
}

function lineOf(step: string, note: string): string {
  const { ended, exitCode, reported, stderr } = JSON.parse(note) as StepResult
  const how = {
    exit: `ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`,
    done: 'done',
    timeout: 'stopped at the time limit of the step',
    lost: 'the driver exited',
  }[ended]
  const kinds = runLengths(reported.map(({ saw }) => saw)).join(', ')
  const output = lastOutput(stderr)
  return `${step}: ${how}${shorten(kinds && `, reported ${kinds}`, 100)}${output && `; stderr: ${output}`}`
}

/** The end of stderr in one line, without lines that only underline another. */
function lastOutput(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim())
  const text = lines.filter((line) => /[^\s^~]/.test(line)).join(' | ')
  return text.length > longestStderr ? `…${text.slice(-longestStderr)}` : text
}
