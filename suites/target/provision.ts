/** How one state comes about, with the names in it looked up. */
import type { StateId } from '../../spec/index.ts'
import { mapped, named, type Reading } from './reading.ts'
import { provisionProblem } from './states.ts'
import type { Provision } from './target.ts'
import type { TargetFile, WrittenProvision } from './written.ts'

export function provision(
  state: StateId,
  written: WrittenProvision,
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Provision {
  const path = ['states', state] as const
  const problem = provisionProblem(state, written, file)
  if (problem !== null) reading.problems.push(`${reading.sourced.at(path)}: states.${state} ${problem}`)
  const { provide, agent, message, principal, why = '' } = written
  if (provide === 'none') return { provide, why }
  if (provide !== 'fixture') return { provide }
  if (principal !== undefined)
    named(principal, mapped(file.principals, String), [...path, 'principal'], reading)
  return {
    provide,
    ...(agent === undefined ? {} : { agent: named(agent, ids, [...path, 'agent'], reading) }),
    ...(message === undefined ? {} : { message }),
    ...(principal === undefined ? {} : { principal }),
  }
}
