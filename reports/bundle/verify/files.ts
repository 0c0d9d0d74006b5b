/** Whether the files that everything else rests on are there and can be read. */
import { writerIn } from '../folder/lock.ts'
import { journalFile } from '../names.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { notVerified, countOf, holds, incomplete, type InspectionLine } from './line.ts'

/** Written before the first request. */
const early = ['plan.json', 'judging.json']

export function inspectFiles({ path, found, has, bytes, chain, cutOff }: OpenedBundle): InspectionLine {
  const links = found
    .filter(({ plain }) => !plain)
    .map((file) => `${file.path}: is a link, or nothing that can be read, and was not followed`)
  // Between the plan and its first line a journal is not yet there.
  const needed = cutOff ? early : ['run.json', ...early, journalFile]
  const missing = needed
    // The journal was read line by line.
    .filter((file) => (file === journalFile ? chain : bytes(file)) === null)
    .map((file) => `${file}: ${has(file) ? 'cannot be read' : 'is not there'}`)
  const problems = [...missing, ...links]
  if (problems.length > 0) return notVerified('not all that a run writes can be read', problems)
  const writer = writerIn(path)
  if (writer !== null) return incomplete(`process ${writer} is still writing this run: wait for its end`)
  return cutOff
    ? incomplete('the run was cut off: it wrote no run.json')
    : holds(countOf(found.length, 'file'))
}
