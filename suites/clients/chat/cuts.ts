/** Connections that break on the way: the turn may have run, and its reply did not come. */
import { ifControlSucceeded } from '../assertions/step-result.ts'
import { retriesSameTurn } from '../assertions/retry.ts'
import type { NetworkFaultAction } from '../../../spec/types/control.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'
import { ifReplyReported, reportsNoReply } from '../assertions/reported-reply.ts'

const asked: ClientStep = {
  task: { do: 'chat', message: 'Please cancel the booking.', idempotencyKey: 'cancel-booking-17' },
}

function cut(title: string, trouble: Omit<Extract<NetworkFaultAction, { is: 'cut' }>, 'is'>): ClientScenario {
  return clientScenario({
    title,
    steps: {
      served: asked,
      lost: {
        ...asked,
        service: { preparation: 'conversation', networkFaults: [{ do: { is: 'cut', ...trouble } }] },
      },
    },
    judge: {
      'LIB-SENT-AGAIN': ({ served, lost }) => ifControlSucceeded(served, () => retriesSameTurn(lost)),
      'LIB-NO-FALSE-REPLY': ({ served, lost }, context) =>
        ifReplyReported(served, context, 'served', () => reportsNoReply(lost, context, 'lost')),
    },
  })
}

export const before = cut('the connection is closed before the service saw the turn', { when: 'before' })
export const refused = cut('the connection is reset before the turn is read', { when: 'before', reset: true })
export const within = cut('the connection is closed in the middle of a reply', { when: 'in' })
export const withinReset = cut('the connection is reset within a reply', { when: 'in', reset: true })
export const headOnly = cut('the connection is closed after the headers', { when: 'in', bytes: 0 })
export const after = cut('the turn has run, and its reply is lost with the connection', { when: 'after' })
export const afterReset = cut('the turn has run, and its reply is reset', { when: 'after', reset: true })
