/** Whether the operations that a target file declares are shown to the ordinary key. */
import type { RunContext } from '../runner/run-context.ts'
import { readRequest } from '../runner/requests/execution-request.ts'
import { ordinary } from '../runner/states/settings.ts'
import { discoveredIn } from '../operations/assertions/pointers/pointer-discovery.ts'
import type { Target } from '../config/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { fine, missing, unknownSign, wrong, type DoctorResult } from './sign.ts'

/** Discovers once. Nothing is executed. */
export async function lookAtOperations(
  target: Target,
  runContext: RunContext,
): Promise<readonly DoctorResult[]> {
  const self = ordinary(target)
  if (!self) return []
  const setting = { agent: target.agents.plain, secondAgent: '', message: '', cast: { self } }
  const asked = readRequest('look', '/api/v1/operations', {}, setting, runContext.requestDefaults('doctor'))
  return judgeOperations(await runContext.wire.send(asked, { turns: 0 }), target)
}

const about = 'fixtures.operations'

export function judgeOperations(
  exchange: Exchange,
  { fixtures: { operations }, dialect }: Pick<Target, 'fixtures' | 'dialect'>,
): readonly DoctorResult[] {
  const { response, failure } = exchange
  if (!response)
    return [missing(about, `listing operations got no answer (${failure?.kind}: ${failure?.message})`)]
  if (response.status === 429)
    return [unknownSign(about, 'too many requests (429); wait a minute, and ask again')]
  if (response.status !== 200)
    return [wrong(about, `listing operations was answered ${response.status}; ${adviceOn(response.status)}`)]
  const known = operations.map(({ id }) => id)
  const listed = discoveredIn(exchange, dialect, known)?.map(({ id }) => id)
  if (!listed)
    return [wrong(about, 'the list of operations was not found in the answer; fix dialect.discovery')]
  const unlisted = operations.filter(({ id }) => !listed.includes(id))
  if (unlisted.length === 0) return [fine(about, 'each is in the list of the ordinary key')]
  return unlisted.map(({ name, id }) =>
    wrong(`${about}.${name}.id`, `${id} is not in the list of the ordinary key; fix it, or take it out`),
  )
}

function adviceOn(status: number): string {
  return status === 401
    ? 'the ordinary key is invalid: check its `bearer` under principals'
    : 'check what the ordinary key may do'
}
