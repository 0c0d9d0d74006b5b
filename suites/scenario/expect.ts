/** How judgements are made and joined. Nothing here looks at an exchange. */
import type { Exchange } from '../wire/exchange.ts'
import type { Judgement } from './scenario.ts'

export const pass: Judgement = { is: 'pass' }

export function fail(expected: string, got: string, exchange?: Exchange): Judgement {
  return { is: 'fail', expected, got, ...(exchange && { exchange: exchange.id }) }
}

/** Fails as a warning even where the clause is a MUST: for values in the range that the contract leaves open. */
export function warn(expected: string, got: string, exchange?: Exchange): Judgement {
  return softened(fail(expected, got, exchange))
}

/** A failure or warning with the exchanges that explain it, each with its role; anything else as it is. */
export function citing(
  judgement: Judgement,
  ...cited: readonly (readonly [exchange: Pick<Exchange, 'id'> | undefined, as: string])[]
): Judgement {
  if (judgement.is !== 'fail' && judgement.is !== 'warn') return judgement
  const known = cited.flatMap(([exchange, as]) => (exchange ? [{ exchange: exchange.id, as }] : []))
  return { ...judgement, cited: known }
}

export function softened(judgement: Judgement): Judgement {
  return judgement.is === 'fail' ? { ...judgement, is: 'warn' } : judgement
}

export function observed(value: string): Judgement {
  return { is: 'observed', value }
}

/** Something observed whose numbers differ from run to run of one and the same server. */
export function measured(value: string): Judgement {
  return { is: 'observed', value, alike: value.replaceAll(/\d+(\.\d+)?/g, '#') }
}

/** `unmet`: the judgement without which there is no result, if it fails. */
export function inconclusive(because: string, unmet?: Judgement): Judgement {
  if (unmet?.is !== 'fail' && unmet?.is !== 'warn') return { is: 'inconclusive', because }
  const { expected, got } = unmet
  return { is: 'inconclusive', because, unmet: { expected, got } }
}

export function notApplicable(because: string): Judgement {
  return { is: 'not-applicable', because }
}

/** Passes when `holds`; otherwise says what was expected and got. */
export function check(holds: boolean, expected: string, got: string, exchange?: Exchange): Judgement {
  return holds ? pass : fail(expected, got, exchange)
}

/** Judges `then` only when `precondition` passes: what cannot be evaluated is not a pass. */
export function given(precondition: Judgement, then: () => Judgement): Judgement {
  if (precondition.is === 'pass') return then()
  if (precondition.is === 'inconclusive' || precondition.is === 'not-applicable') return precondition
  const why =
    precondition.is === 'observed'
      ? precondition.value
      : `expected ${precondition.expected}, got ${precondition.got}`
  return inconclusive(`the scenario did not get this far: ${why}`, precondition)
}

/** A statement of a judge: where it does not pass, there is no verdict. */
export const need = (precondition: Judgement): Judgement => given(precondition, () => pass)

/** The statements of a judge, in the order of their reasons: is the first that does not pass, else the last. */
export function inTurn(...statements: readonly (Judgement | (() => Judgement))[]): Judgement {
  let judged = pass
  for (const statement of statements) {
    judged = typeof statement === 'function' ? statement() : statement
    if (judged.is !== 'pass') return judged
  }
  return judged
}

const weight: Record<Judgement['is'], number> = {
  fail: 5,
  warn: 4,
  inconclusive: 3,
  'not-applicable': 2,
  pass: 1,
  observed: 0,
}

/** The worst of several, each of which is evaluated. An empty list is inconclusive, never a pass. */
export function all(...judgements: readonly Judgement[]): Judgement {
  return every(judgements, (judgement) => judgement)
}

/** Judges every item of a list; an empty list is inconclusive. */
export function every<T>(items: readonly T[], judge: (item: T) => Judgement): Judgement {
  const [worst] = items.map(judge).sort((a, b) => weight[b.is] - weight[a.is])
  return worst ?? inconclusive('there was nothing to judge')
}
