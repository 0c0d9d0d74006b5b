/** What `--input` takes: one complete JSON value, with nothing left out. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Context } from '../../scenario/scenario.ts'
import { every, warn } from '../../scenario/expect.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { hasInput } from '../assertions/request.ts'
import { command, commandScenario, executeCommand, maySendNothing, refusedLocally } from './command.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { completedReceipt, inspectOperation, routes, script } from '../execution/step.ts'
import type { ClientScenario, ClientStep } from '../client-scenario.ts'

const service = { networkFaults: script(routes.execution, [completedReceipt({ live: {} })]) }
const taking = (input: string): ClientStep => command(executeCommand(inspectOperation, input), service)
const runs = (exchanges: readonly Exchange[]): readonly Exchange[] => sentTo(exchanges, 'execution')

const whole: Json = { agentId: 'agent-by-the-harbour' }

/** Each of these is refused without a request. */
const refusedInputs = (
  title: string,
  clause: ClauseId,
  inputs: Readonly<Record<string, string>>,
): ClientScenario =>
  commandScenario<string>({
    title,
    steps: {
      whole: taking(JSON.stringify(whole)),
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, input]) => [name, maySendNothing(taking(input))]),
      ),
    },
    judge: {
      [clause]: (steps: Readonly<Record<string, readonly Exchange[]>>, context: Context) =>
        every(Object.keys(inputs), (step) =>
          refusedLocally(runs(steps['whole'] ?? []), runs(steps[step] ?? []), context, step),
        ),
    },
  })

export const oneValue = refusedInputs(
  '`--input` that is not one complete JSON value is refused before anything is sent',
  'CLI-INPUT-ONE-VALUE',
  {
    'cut-off': '{"agentId":"agent-by-the-harbour"',
    'two-values': '{"agentId":"agent-by-the-harbour"} {"agentId":"another"}',
    'comma-too-many': '{"agentId":"agent-by-the-harbour",}',
    'other-quotes': "{'agentId':'agent-by-the-harbour'}",
    'no-value': '',
    'words-behind': '{"agentId":"agent-by-the-harbour"} and so on',
  },
)

export const ellipsis = refusedInputs(
  '`--input` with an ellipsis or spread syntax is refused before anything is sent',
  'CLI-INPUT-ELLIPSIS',
  {
    'three-dots': '{"agentId":"agent-by-the-harbour", ...}',
    'one-sign': '{"agentId":"agent-by-the-harbour", …}',
    'in-place-of-a-value': '{"agentId": ...}',
    spread: '{...defaults, "agentId":"agent-by-the-harbour"}',
    alone: '...',
    'in-an-array': '{"agentId":"agent-by-the-harbour","piers":[1, ...]}',
  },
)

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
