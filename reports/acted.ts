/** How a client went about a scenario, act by act: how each ended, and what it said on stderr. */
import type { Performance } from './bundle/client-report.ts'
import type { Finding, Run } from './bundle/record.ts'
import { shorten } from './visible.ts'

const mark = 'act '
/** Characters; fits with the rest into what is shown of a line. */
const mostSaid = 280

/** In the order played; empty for what is no client. */
export function acted(
  finding: Pick<Finding, 'scenario'>,
  { record }: Pick<Run, 'record'>,
): readonly string[] {
  if (record.target.kind !== 'client') return []
  const planned = record.scenarioRuns.find(({ scenario }) => scenario === finding.scenario)
  const notes = planned?.notes ?? {}
  return Object.entries(notes).flatMap(([name, note]) => {
    if (!name.startsWith(mark) || typeof note !== 'string') return []
    const act = name.slice(mark.length)
    const more = notes[`not kept of ${act}`]
    return [`${lineOf(act, note)}${more === undefined ? '' : `; not kept: ${more}`}`]
  })
}

function lineOf(act: string, note: string): string {
  const { ended, exitCode, told, stderr } = JSON.parse(note) as Performance
  const how = {
    exit: `ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`,
    done: 'said that it was done',
    timeout: 'was ended, as it took longer than an act may',
    lost: 'went away',
  }[ended]
  const saw = told.length === 0 ? '' : `, told ${counted(told.map(({ saw: kind }) => kind)).join(', ')}`
  const said = lastWords(stderr)
  return `${act}: ${how}${shorten(saw, 100)}${said === '' ? '' : `; on stderr: ${said}`}`
}

/** The same many times in a row, as once with how often. */
function counted(kinds: readonly string[]): readonly string[] {
  const starts = kinds.flatMap((kind, i) => (kind === kinds[i - 1] ? [] : [i]))
  return starts.map((start, i) => {
    const times = (starts[i + 1] ?? kinds.length) - start
    return times === 1 ? `${kinds[start]}` : `${times} × ${kinds[start]}`
  })
}

/** What a program says last is what ended it; lines that only underline another say nothing by themselves. */
function lastWords(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim())
  const said = lines.filter((line) => /[^\s^~]/.test(line)).join(' | ')
  return said.length > mostSaid ? `…${said.slice(-mostSaid)}` : said
}
