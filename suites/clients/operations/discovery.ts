/** Asking which operations a key may call, and running one that every key may know. */
import type { Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import { type Exchange, type Json, excerpt } from '../../wire/exchange.ts'
import { hasInput, requestContains, apiKeyOf, lastSegment, whereSuccessful } from '../assertions/request.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { reportsOf, containsValue, reachesCaller, nothingReported } from '../assertions/reported-reply.ts'
import { completedReceipt, executing, inspectOperation, routes, script } from '../execution/step.ts'
import { clientScenario } from '../client-scenario.ts'

function bearing(requests: readonly Exchange[]): Judgement {
  const without = requests.find((request) => apiKeyOf(request) === '')
  return check(!without, 'the API key as a bearer', 'none', without)
}

export const listed = clientScenario({
  title: 'discovery asks the service, and what it lists reaches the caller',
  steps: { discover: { task: { do: 'discover' } } },
  judge: {
    'LIB-OPERATIONS': ({ discover }, context) => {
      const asked = sentTo(discover, 'discovery')
      const [first] = discover
      if (asked.length === 0) return fail('GET /api/v1/operations', first?.request.path ?? 'nothing', first)
      return whereSuccessful(asked, () => {
        const reached = reachesCaller(context, 'discover', [inspectOperation], asked[0])
        return all(bearing(asked), reached === nothingReported ? pass : reached)
      })
    },
  },
})

export const nothingAllowed = clientScenario({
  title: 'a key that may use no operation is shown none, whatever the package has',
  steps: {
    listed: { task: { do: 'discover' } },
    none: {
      task: { do: 'discover' },
      service: { networkFaults: script(routes.discovery, [{ operations: [] }]) },
    },
  },
  judge: {
    'LIB-OPERATIONS': ({ listed: twin, none }, context) =>
      whereSuccessful(sentTo(twin, 'discovery'), () => {
        const [asked] = sentTo(none, 'discovery')
        if (!asked) return inconclusive('nothing was asked')
        const reported = reportsOf(context, 'none')
        if (reported.length === 0) return nothingReported
        const shown = reported.filter((line) => containsValue(line, inspectOperation))
        return check(shown.length === 0, 'no operation', excerpt(JSON.stringify(shown)), asked)
      }),
  },
})

const agentId = 'agent-by-the-harbour'
const instructions = 'Greet whoever comes in from the harbour.'

const sparse: Json = { agentId, limit: 0, note: '', open: false, tags: [] }

export const inputAsGiven = clientScenario({
  title: 'an input arrives with what is nought, empty or false in it',
  steps: {
    whole: executing(completedReceipt({ agentId })),
    sparse: { ...executing(completedReceipt({ agentId }), { input: sparse }), maySendNothing: true },
  },
  judge: {
    'LIB-OPERATIONS': ({ whole, sparse: sent }) =>
      ifControlSucceeded(sentTo(whole, 'execution'), () => {
        const [run] = sentTo(sent, 'execution')
        return run
          ? hasInput(run, sparse)
          : notApplicable('it knows what the operation takes, and refuses this')
      }),
  },
})

export const executed = clientScenario({
  title: 'an operation is run at the route that carries its id, with its input',
  steps: { execute: executing(completedReceipt({ agentId, live: { instructions } })) },
  judge: {
    'LIB-OPERATIONS': ({ execute }, context) => {
      const [run] = sentTo(execute, 'execution')
      if (!run) return inconclusive('nothing was executed')
      const reached = reachesCaller(context, 'execute', [instructions], run)
      return all(
        check(lastSegment(run) === inspectOperation, inspectOperation, lastSegment(run), run),
        check(requestContains(run, agentId), `the input, with ${agentId}`, 'a body without it', run),
        bearing([run]),
        reached === nothingReported ? pass : reached,
      )
    },
  },
})
