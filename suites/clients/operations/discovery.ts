/** Asking which operations a key may call, and running one that every key may know. */
import type { Judgement } from '../../scenario/judgement.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { all, broken, check, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { arrived, carries, keyOf, namedBy, whereServed } from '../assertions/request.ts'
import { beside, sentTo } from '../assertions/step-result.ts'
import { everythingTold, holds, reachesCaller, toldNothing } from '../assertions/reported.ts'
import { completed, inspection, on, script } from '../execution/scripted-replies.ts'
import { clientScenario } from '../client-scenario.ts'

function bearing(requests: readonly Exchange[]): Judgement {
  const without = requests.find((request) => keyOf(request) === '')
  return check(!without, 'the API key as a bearer', 'none', without)
}

export const listed = clientScenario({
  title: 'discovery asks the service, and what it lists reaches the caller',
  acts: { discover: { task: { do: 'discover' } } },
  judge: {
    'LIB-OPERATIONS': ({ discover }, context) => {
      const asked = sentTo(discover, 'discovery')
      const [first] = discover
      if (asked.length === 0) return broken('GET /api/v1/operations', first?.request.path ?? 'nothing', first)
      return whereServed(asked, () => {
        const reached = reachesCaller(context, 'discover', [inspection], asked[0])
        return all(bearing(asked), reached === toldNothing ? pass : reached)
      })
    },
  },
})

export const nothingAllowed = clientScenario({
  title: 'a key that may use no operation is shown none, whatever the package has',
  acts: {
    listed: { task: { do: 'discover' } },
    none: { task: { do: 'discover' }, stage: { networkFaults: script(on.discovery, [{ operations: [] }]) } },
  },
  judge: {
    'LIB-OPERATIONS': ({ listed: twin, none }, context) =>
      whereServed(sentTo(twin, 'discovery'), () => {
        const [asked] = sentTo(none, 'discovery')
        if (!asked) return inconclusive('nothing was asked')
        const told = everythingTold(context, 'none')
        if (told.length === 0) return toldNothing
        const shown = told.filter((line) => holds(line, inspection))
        return check(shown.length === 0, 'no operation', excerpt(JSON.stringify(shown)), asked)
      }),
  },
})

const agentId = 'agent-by-the-harbour'
const instructions = 'Greet whoever comes in from the harbour.'

const sparse: Json = { agentId, limit: 0, note: '', open: false, tags: [] }

export const inputAsGiven = clientScenario({
  title: 'an input arrives with what is nought, empty or false in it',
  acts: {
    whole: {
      task: { do: 'execute', operation: inspection, input: { agentId } },
      stage: { networkFaults: script(on.execution, [completed({ agentId })]) },
    },
    sparse: {
      task: { do: 'execute', operation: inspection, input: sparse },
      stage: { networkFaults: script(on.execution, [completed({ agentId })]) },
      maySendNothing: true,
    },
  },
  judge: {
    'LIB-OPERATIONS': ({ whole, sparse: sent }) =>
      beside(sentTo(whole, 'execution'), () => {
        const [run] = sentTo(sent, 'execution')
        return run
          ? arrived(run, sparse)
          : notApplicable('it knows what the operation takes, and refuses this')
      }),
  },
})

export const executed = clientScenario({
  title: 'an operation is run at the route that carries its id, with its input',
  acts: {
    execute: {
      task: { do: 'execute', operation: inspection, input: { agentId } },
      stage: { networkFaults: script(on.execution, [completed({ agentId, live: { instructions } })]) },
    },
  },
  judge: {
    'LIB-OPERATIONS': ({ execute }, context) => {
      const [run] = sentTo(execute, 'execution')
      if (!run) return inconclusive('nothing was executed')
      const reached = reachesCaller(context, 'execute', [instructions], run)
      return all(
        check(namedBy(run) === inspection, inspection, namedBy(run), run),
        check(carries(run, agentId), `the input, with ${agentId}`, 'a body without it', run),
        bearing([run]),
        reached === toldNothing ? pass : reached,
      )
    },
  },
})
