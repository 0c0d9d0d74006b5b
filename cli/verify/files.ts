/** Whether the files that everything else rests on are there and can be read. */
import type { Exhibit } from './exhibit.ts'
import { broken, count, incomplete, judged, type Line } from './line.ts'

/** Written before the first request. */
const early = ['plan.json', 'judging.json', 'journal.ndjson']

export function inspectFiles({ found, has, bytes, cutOff }: Exhibit): Line {
  const links = found
    .filter(({ plain }) => !plain)
    .map(({ path }) => `${path}: is a link or no file, and was not followed`)
  const needed = cutOff ? early : ['run.json', ...early]
  const missing = needed
    .filter((file) => bytes(file) === null)
    .map((file) => `${file}: ${has(file) ? 'cannot be read' : 'is not there'}`)
  const problems = [...missing, ...links]
  if (problems.length > 0) return broken('not all that a run writes can be read', problems)
  if (cutOff) return incomplete('the run was cut off: it wrote no run.json')
  return judged([], count(found.length, 'file'), '')
}
