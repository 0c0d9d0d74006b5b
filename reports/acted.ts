/** How a client went about a story, act by act: how each ended, and what it said on stderr. */
import type { Finding, Performance, Run } from '../suites/record.ts'
import { shorten } from './visible.ts'

const mark = 'act '
const mostSaid = 500

/** In the order played; empty for what is no client. */
export function acted(
  finding: Pick<Finding, 'scenario'>,
  { record }: Pick<Run, 'record'>,
): readonly string[] {
  if (record.target.kind !== 'client') return []
  const story = record.stories.find(({ scenario }) => scenario === finding.scenario)
  const notes = story?.notes ?? {}
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
  const saw = told.length === 0 ? '' : `, told ${told.map(({ saw: kind }) => kind).join(', ')}`
  const said = stderr.trim() === '' ? '' : `; on stderr: ${stderr.trim().slice(-mostSaid)}`
  return `${act}: ${how}${shorten(saw, 100)}${said}`
}
