/** Judgements on the list of operations of a key. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { type Exchange, json, parseJson } from '../../wire/exchange.ts'
import { answered, isJson, object, shown, status, statusOf } from '../../assertions/answer.ts'
import { fail, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { inside, isArray } from '../../assertions/pointer.ts'
import { canonical } from '../../assertions/reply.ts'
import { discoveredIn, type Discovered } from './pointers/pointer-discovery.ts'
import { resolvedSchema } from './schema/schema-input.ts'
import { isObject } from '../../../spec/json.ts'

export function answersJson(exchange: Exchange): Judgement {
  const judged = status(exchange, 200)
  if (judged.is !== 'pass') return judged
  return check(
    isJson(exchange) && json(exchange).ok,
    'JSON, and not said to be something else',
    shown(exchange, 80),
    exchange,
  )
}

/**
 * Judges the operations of a list; inconclusive if nothing looks like operations, since the dialect declares too
 * little.
 */
export function listing(
  list: Exchange,
  { dialect }: Pick<Context, 'dialect'>,
  known: readonly string[],
  judge: (found: readonly Discovered[]) => Judgement,
): Judgement {
  return given(status(list, 200), () => {
    const found = discoveredIn(list, dialect, known)
    return found ? judge(found) : inconclusive(unfound)
  })
}

export const unfound =
  'nothing in the answer of discovery was found to be a list of operations; declare `dialect.discovery.list` and `dialect.discovery.id`'

export function listsSome(list: Exchange, context: Pick<Context, 'dialect'>): Judgement {
  return listing(list, context, ['agent_setup.inspect'], (found) =>
    found.length > 0 ? pass : inconclusive('the list is empty'),
  )
}

/** Each operation has a schema. Inconclusive if the search may have missed one under another name. */
export function schemasStand(list: Exchange, context: Pick<Context, 'dialect'>): Judgement {
  const isDeclared = context.dialect.discovery?.schema !== undefined
  return listing(list, context, ['agent_setup.inspect'], (found) => {
    const judged = every(found, ({ id, schema }) =>
      isObject(schema) || typeof schema === 'boolean'
        ? pass
        : fail(`an input schema of ${id}`, JSON.stringify(schema) ?? 'none', list),
    )
    return judged.is === 'fail' && !isDeclared
      ? inconclusive('not every operation was found to have a schema; declare `dialect.discovery.schema`')
      : judged
  })
}

/** Not one schema for all operations, with required members that another one completed without: it is of one of them. */
export function schemasApart(
  list: Exchange,
  executed: readonly Exchange[],
  context: Pick<Context, 'dialect'>,
): Judgement {
  return listing(list, context, ['agent_setup.inspect'], (found) => {
    const [{ schema } = {}, ...others] = found
    const required = isObject(schema) ? resolvedSchema(schema, schema)?.['required'] : undefined
    const isShared =
      others.length > 1 && others.every((other) => canonical(other.schema) === canonical(schema))
    if (!isShared || !isArray(required) || required.length === 0) return pass
    const without = executed.find(({ request }) => {
      const body = parseJson(new TextDecoder().decode(request.body))
      const isListed = found.some(({ id }) => request.path.endsWith(`/${encodeURIComponent(id)}`))
      return isListed && body.ok && ![...inside(body.value)].some(({ name }) => required.includes(name))
    })
    const got = `one for all, with ${required.map(String).join(', ')}, which an operation completed without`
    return check(!without, 'an input schema for each operation', got, list)
  })
}

export function listedOnlyFor(
  id: string,
  list: Exchange,
  other: Exchange,
  context: Pick<Context, 'dialect'>,
): Judgement {
  const stands = (found: readonly Discovered[]) => found.some((one) => one.id === id)
  return given(
    listing(list, context, [id], (found) =>
      stands(found) ? pass : inconclusive(`${id} is not even in the list of the key that may use it`),
    ),
    () =>
      listing(other, context, [id], (found) =>
        check(!stands(found), `a list without ${id}`, `a list with ${id}`, other),
      ),
  )
}

/** An operation of the list is not refused to the key that was shown it. */
export function letIn(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    return check(got !== 401 && got !== 403, 'a status other than 401 and 403', `status ${got}`, exchange)
  })
}

/** The top-level names of a body, or a description of any other body. */
export function outline(exchange: Exchange): string {
  const body = object(exchange)
  if (body) return `an object with ${Object.keys(body).sort().join(', ') || 'no member'}`
  const read = json(exchange)
  return read.ok && Array.isArray(read.value) ? 'a list' : 'neither an object nor a list'
}
