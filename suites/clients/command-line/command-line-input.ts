/** What `--input` takes: one complete JSON value, with nothing left out. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { every, warn } from '../../scenario/expect.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { hasInput } from '../assertions/request.ts'
import { command, commandScenario, executeCommand, maySendNothing, refusedLocally } from './command.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { completedReceipt, inspectOperation, routes, script } from '../execution/step.ts'
import type { ClientStep } from '../client-scenario.ts'

const service = { networkFaults: script(routes.execution, [completedReceipt({ live: {} })]) }
const taking = (input: string): ClientStep => command(executeCommand(inspectOperation, input), service)
const refusing = (input: string): ClientStep => maySendNothing(taking(input))
const runs = (exchanges: readonly Exchange[]): readonly Exchange[] => sentTo(exchanges, 'execution')

const whole: Json = { agentId: 'agent-by-the-harbour' }

/** Each of these steps was refused without a request. */
function eachRefused<A extends string>(
  steps: readonly A[],
  scenario: Readonly<Record<A | 'whole', readonly Exchange[]>>,
  context: Context,
): Judgement {
  return every(steps, (step) => refusedLocally(runs(scenario.whole), runs(scenario[step]), context, step))
}

export const oneValue = commandScenario({
  title: '`--input` that is not one complete JSON value is refused before anything is sent',
  steps: {
    whole: taking(JSON.stringify(whole)),
    'cut-off': refusing('{"agentId":"agent-by-the-harbour"'),
    'two-values': refusing('{"agentId":"agent-by-the-harbour"} {"agentId":"another"}'),
    'comma-too-many': refusing('{"agentId":"agent-by-the-harbour",}'),
    'other-quotes': refusing("{'agentId':'agent-by-the-harbour'}"),
    'no-value': refusing(''),
    'words-behind': refusing('{"agentId":"agent-by-the-harbour"} and so on'),
  },
  judge: {
    'CLI-INPUT-ONE-VALUE': (scenario, context) =>
      eachRefused(
        ['cut-off', 'two-values', 'comma-too-many', 'other-quotes', 'no-value', 'words-behind'],
        scenario,
        context,
      ),
  },
})

export const ellipsis = commandScenario({
  title: '`--input` with an ellipsis or spread syntax is refused before anything is sent',
  steps: {
    whole: taking(JSON.stringify(whole)),
    'three-dots': refusing('{"agentId":"agent-by-the-harbour", ...}'),
    'one-sign': refusing('{"agentId":"agent-by-the-harbour", …}'),
    'in-place-of-a-value': refusing('{"agentId": ...}'),
    spread: refusing('{...defaults, "agentId":"agent-by-the-harbour"}'),
    alone: refusing('...'),
    'in-an-array': refusing('{"agentId":"agent-by-the-harbour","piers":[1, ...]}'),
  },
  judge: {
    'CLI-INPUT-ELLIPSIS': (scenario, context) =>
      eachRefused(
        ['three-dots', 'one-sign', 'in-place-of-a-value', 'spread', 'alone', 'in-an-array'],
        scenario,
        context,
      ),
  },
})

const dotted: Json = { agentId: 'agent...by {...the} harbour, \\"and\\" so on…' }

/** It can be read as if dots had to be refused wherever they stand: no more than a warning. */
export const dots = commandScenario({
  title: '`--input` with dots within a text of it is one complete JSON value',
  steps: {
    whole: taking(JSON.stringify(whole)),
    dotted: maySendNothing(taking(JSON.stringify(dotted))),
  },
  judge: {
    'CLI-INPUT-ONE-VALUE': ({ whole: twin, dotted: sent }) =>
      ifControlSucceeded(runs(twin), () => {
        const [first] = runs(sent)
        if (!first) return warn('the input sent', 'nothing sent', runs(twin)[0])
        return hasInput(first, dotted)
      }),
  },
})

export const asGiven = commandScenario({
  title: '`--input` is sent as it was given',
  steps: { whole: taking(JSON.stringify(whole)) },
  judge: {
    'CLI-INPUT-ONE-VALUE': ({ whole: sent }) => every(runs(sent), (run) => hasInput(run, whole)),
  },
})
