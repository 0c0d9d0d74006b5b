/** Where a turn goes: base addresses with a path of their own, and agent ids of unusual characters. */
import type { Judgement } from '../../scenario/scenario.ts'
import { all, check, notApplicable, softened, warn } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { addressesSeen, serviceRequests, requestPath } from '../assertions/request.ts'
import { anyTurn } from '../command-line/command.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { anyReply, script } from '../execution/step.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import type { ChatTask, ServiceSetup } from '../execution/task.ts'

const task: ChatTask = { do: 'chat', message: 'Is the harbour open?', idempotencyKey: 'where-a-turn-goes' }
const ordinary: ClientStep = { task }
const at = (service: ServiceSetup): ClientStep => ({ task, service: service, maySendNothing: true })

const prefix = '/gateway/v2'
/** A slash more than the contract writes is answered, too: what is judged is where the turn went. */
const below = (base: string): ClientStep =>
  at({
    basePath: base,
    networkFaults: script({ method: 'POST', path: prefix }, [anyReply]),
  })

export const basePath = clientScenario({
  title: 'a base address with a path keeps it',
  steps: { twin: ordinary, path: below(prefix), slash: below(`${prefix}/`) },
  judge: {
    'LIB-CHAT': ({ twin, path, slash }) =>
      ifControlSucceeded(sentTo(twin, 'chat'), () => all(goesBelow(path), softened(goesBelow(slash)))),
  },
})

export const baseSlash = clientScenario({
  title: 'a slash at the end of a base address makes no other address',
  steps: {
    twin: ordinary,
    slash: at({ basePath: '/', networkFaults: script({ method: 'POST', path: '/' }, [anyReply]) }),
  },
  judge: {
    'LIB-CHAT': ({ twin, slash }) =>
      ifControlSucceeded(sentTo(twin, 'chat'), () => {
        const [first] = serviceRequests(slash)
        if (!first) return refusesIt
        const isChat = requestPath(first).startsWith('/api/v1/chat/')
        return isChat ? { is: 'pass' } : warn('/api/v1/chat/…', requestPath(first), first)
      }),
  },
})

const refusesIt = notApplicable('it sends nothing where it is given such a base address')

/** Behind the whole base address. With its slash and one more is how the contract writes it, and no good address. */
function goesBelow(exchanges: readonly Exchange[]): Judgement {
  const [first] = serviceRequests(exchanges)
  if (!first) return refusesIt
  const path = requestPath(first)
  return check(path.startsWith(`${prefix}/api/v1/chat/`), `${prefix}/api/v1/chat/…`, path, first)
}

const ids = {
  slash: 'harbour/north',
  percent: 'harbour%2Fnorth',
  letters: 'hafen süd',
  marks: 'harbour?pier=2#lamp',
} as const

const toAgent = (agentId: string): ClientStep => at({ agentId, networkFaults: anyTurn })

export const agentIds = clientScenario({
  title: 'the address of an agent id with a slash, a percent sign, a space or a question mark',
  steps: {
    twin: ordinary,
    slash: toAgent(ids.slash),
    percent: toAgent(ids.percent),
    letters: toAgent(ids.letters),
    marks: toAgent(ids.marks),
  },
  judge: {},
  observe: {
    'GAP-CLIENT-IDS': (steps) =>
      ifControlSucceeded(sentTo(steps.twin, 'chat'), () => addressesSeen(ids, steps, serviceRequests)),
  },
})
