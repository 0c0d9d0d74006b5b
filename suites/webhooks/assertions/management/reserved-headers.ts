/** Judgements on custom headers with the name of a header of the service. */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { attemptsIn } from '../deliveries.ts'
import { eachAttempt, hasUserAgent, idBegins, isJsonTyped, namesItsEvent } from '../delivery.ts'
import { all, every, given, inconclusive, observed, pass } from '../../../scenario/expect.ts'
import { secretOf, signedWith } from '../signature.ts'

function accepted({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status <= 299
}

function refused({ response }: Exchange): boolean {
  return response !== null && response.status >= 400 && response.status <= 499
}

/** A webhook with an ordinary custom header, and the requests to it. */
export interface ControlWebhook {
  creation: Exchange
  arrived: readonly Exchange[]
}

/** Each of these webhooks was refused, or its test arrived with each header of the service once, as for the control. */
export function keepsItsOwn(
  creations: readonly Exchange[],
  arrived: readonly Exchange[],
  control: ControlWebhook,
): Judgement {
  return given(
    eachAttempt(control.arrived, (one) => hasItsOwn(one, [control.creation])),
    () => {
      const attempts = attemptsIn(arrived)
      if (creations.length > 0 && creations.every(refused)) return pass
      if (attempts.length === 0) return inconclusive('no webhook with such a header got its test')
      // The secret that signs is not judged here: any known one counts.
      return every(attempts, (one) => hasItsOwn(one, [control.creation, ...creations.filter(accepted)]))
    },
  )
}

/** The headers of the service. The secret shows which of the webhooks it is. */
function hasItsOwn(attempt: Exchange, creations: readonly Exchange[]): Judgement {
  const secrets = creations.map(secretOf).filter((secret) => secret !== null)
  return all(
    isJsonTyped(attempt),
    hasUserAgent(attempt),
    namesItsEvent(attempt),
    idBegins(attempt, 'test_'),
    signedByOneOf(attempt, secrets),
  )
}

/** The signature is that of one of these webhooks, and not the value of the custom header. */
function signedByOneOf(attempt: Exchange, secrets: readonly string[]): Judgement {
  const judged = secrets.map((secret) => signedWith(attempt, secret))
  if (judged.some(({ is }) => is === 'pass')) return pass
  return judged[0] ?? inconclusive('no creation returned a secret')
}

export function reservedSeen(creations: readonly Exchange[], control: readonly Exchange[]): Judgement {
  return given(attemptsIn(control).length > 0 ? pass : inconclusive('nothing reached the receiver'), () => {
    const [taken, not] = [creations.filter(accepted).length, creations.filter(refused).length]
    return observed(not === 0 ? 'passed over' : taken === 0 ? 'refused' : 'some refused, some passed over')
  })
}
