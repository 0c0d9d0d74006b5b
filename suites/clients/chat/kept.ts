/**
 * What a client keeps from one call to the next, where it is kept itself: nothing of that takes the place of what the
 * service says now, to whom it says it. A client that is restarted for each step has no such state.
 */
import { check, inconclusive, pass } from '../../scenario/expect.ts'
import { type Json, excerpt, member } from '../../wire/exchange.ts'
import { successful, whereSuccessful } from '../assertions/request.ts'
import {
  hasLimit,
  reportedItems,
  reportsOf,
  containsValue,
  reachesCaller,
  nothingReported,
} from '../assertions/reported-reply.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { routes, script } from '../execution/step.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import type { ClientReport } from '../../../bundle/client-report.ts'

const left = (remaining: number): Json => ({ credits: { remaining } })
const [atFirst, afterwards] = [417, 405]

const reply: Json = {
  response: 'The harbour is open.',
  conversation_id: '5f0c9a4e-8f4f-4a58-9d0c-3a1b7f1c2d3e',
  credits_used: atFirst - afterwards,
  credits_remaining: afterwards,
}
const turn = {
  do: 'chat',
  message: 'Is the harbour open?',
  idempotencyKey: 'turn-between-two-reads',
} as const
const usage: ClientStep = { task: { do: 'billing', read: 'usage' } }

/** Who knows from the turn what is left may do without the second read. */
export const usageAnew = clientScenario({
  title: 'the usage after a turn is not that from before it',
  steps: {
    first: {
      ...usage,
      service: {
        networkFaults: [
          ...script({ method: 'GET', path: '/api/v1/billing/usage' }, [left(atFirst), left(afterwards)]),
          ...script(routes.chat, [reply]),
        ],
      },
    },
    turn: { task: turn, continues: true },
    later: { ...usage, continues: true, maySendNothing: true },
  },
  judge: {
    'LIB-BILLING': ({ first, turn, later }, context) =>
      whereSuccessful(sentTo(first, 'usage'), () =>
        ifControlSucceeded(sentTo(turn, 'chat'), () => {
          const read = successful(sentTo(later, 'usage')).at(-1)
          const now = read ? member(read, '/credits/remaining') : afterwards
          if (typeof now !== 'number') return inconclusive('no credits were answered')
          const judged = reachesCaller(context, 'later', [now], read ?? turn.at(-1))
          return judged === nothingReported && read ? pass : judged
        }),
      ),
  },
})

const invoices = (limit: number): ClientStep => ({ task: { do: 'billing', read: 'invoices', limit } })
const [few, more] = [2, 7]

export const limitAnew = clientScenario({
  title: 'a list of invoices is as long as was asked for this time',
  steps: { few: invoices(few), more: { ...invoices(more), continues: true, maySendNothing: true } },
  judge: {
    'LIB-BILLING': ({ few: short, more: long }, context) =>
      whereSuccessful(short, () => {
        if (long.some(hasLimit(more))) return pass
        const items = reportedItems(context, 'more')
        if (items === null) return inconclusive('no request had the limit, and no result was reported')
        return check(items > few, `more than ${few} invoices`, `${items}`, long.at(-1) ?? short.at(-1))
      }),
  },
})

/** No client was built with it: one may list what it knows, and say of each whether the key may run it. */
const unknown = 'harbour_lights.dim'
const known = { operations: [{ id: unknown, inputSchema: { type: 'object', properties: {} } }] }

/** The turn shows that the client is there: one that has a list from an earlier step may ask for none in any other. */
export const listOfAnother = clientScenario({
  title: 'the operations of one key are not shown to another',
  steps: {
    turn: { task: turn },
    whole: {
      task: { do: 'discover' },
      service: { networkFaults: script(routes.discovery, [known]) },
      maySendNothing: true,
    },
    none: {
      task: { do: 'discover' },
      service: { networkFaults: script(routes.discovery, [{ operations: [] }]) },
      maySendNothing: true,
    },
  },
  judge: {
    'LIB-OPERATIONS': ({ turn, none }, context) =>
      ifControlSucceeded(turn, () => {
        const shows = (step: string): readonly ClientReport[] =>
          reportsOf(context, step).filter((line) => containsValue(line, unknown))
        if (shows('whole').length === 0 || reportsOf(context, 'none').length === 0) return nothingReported
        const odd = shows('none')
        return check(
          odd.length === 0,
          'no operation of another key',
          excerpt(JSON.stringify(odd)),
          none.at(-1) ?? turn.at(-1),
        )
      }),
  },
})
