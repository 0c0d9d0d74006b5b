/** What a client hands on from one side to the other as it is: a button, a list of operations, a part of a reply. */
import { check, every, inconclusive } from '../../scenario/expect.ts'
import type { Json } from '../../wire/exchange.ts'
import { sendsMember } from '../assertions/request.ts'
import { anyTurn } from '../command-line/command.ts'
import { ifControlSucceeded, sentTo, reportedIn } from '../assertions/step-result.ts'
import { answers, anyReply } from '../execution/step.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import { oddStream, streaming } from '../streams/stream-scenario.ts'

const selections = {
  names: {
    type: 'workflow_button',
    runId: 'run_harbour',
    nodeId: 'node_lamps',
    payload: { order_id: 7, isGift: true, line_items: [{ unit_price: 2, unitCount: 3 }] },
  },
  noughts: { type: 'workflow_button', runId: 'run_harbour', nodeId: 0, payload: { choice: 0, note: '' } },
  nothing: { type: 'workflow_button', runId: 'run_harbour', nodeId: 'node_lamps', payload: false },
  empty: { type: 'workflow_button', runId: 'run_harbour', nodeId: 'node_lamps', payload: '' },
} as const satisfies Record<string, Json>

const pressing = (interaction: Json): ClientStep => ({
  task: { do: 'chat', message: 'This one, please.', idempotencyKey: 'press-of-the-lamps', interaction },
  service: { networkFaults: anyTurn },
})

export const buttons = clientScenario({
  title: 'a button goes out member by member as it was copied, whatever its values are',
  steps: {
    names: pressing(selections.names),
    noughts: pressing(selections.noughts),
    nothing: pressing(selections.nothing),
    empty: pressing(selections.empty),
  },
  judge: {
    'LIB-INTERACTION': (scenario) =>
      every(Object.keys(selections) as (keyof typeof selections)[], (name) =>
        every(sentTo(scenario[name], 'chat'), (turn) => sendsMember(turn, 'interaction', selections[name])),
      ),
  },
})

/** What a package has is no answer of the service. */
export const asked = clientScenario({
  title: 'operations are listed by the service, and not from what the client was built with',
  steps: {
    turn: { task: { do: 'chat', message: 'Good morning.', idempotencyKey: 'before-the-listing' } },
    listing: { task: { do: 'discover' }, maySendNothing: true },
  },
  judge: {
    'LIB-OPERATIONS': ({ turn, listing }, context) =>
      ifControlSucceeded(turn, () => {
        const reported = reportedIn(context, 'listing', 'result')
        const isAsked = sentTo(listing, 'discovery').length > 0
        if (!isAsked && reported.length === 0) return inconclusive('it lists no operations')
        return check(isAsked, 'GET /api/v1/operations', 'a list that nobody was asked for', turn.at(-1))
      }),
  },
})

const partly = {
  ...anyReply,
  type: 'done',
  response: 'Have a look.',
  presentation: { version: 1, media: ['https://example.com/a.mp4'] },
}

export const streamedPresentation = oddStream(
  'a streamed presentation with some of its parts is a reply like any other',
  ['LIB-PRESENTATION'],
  streaming({
    networkFaults: [
      answers(
        200,
        'text/event-stream',
        [{ type: 'token', token: 'Have a look.' }, partly]
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join(''),
      ),
    ],
  }),
)
