/** Two webhooks with the same endpoint are separate, of one agent or of two. */
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { all, check, every, given, notApplicable, inTurn, need } from '../../scenario/expect.ts'
import {
  requestAccepted,
  wasAccepted,
  createdWebhook,
  identityOf,
  isUnlisted,
  isListed,
} from '../assertions/management/webhook-record.ts'
import { secretsApart } from '../assertions/signature.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, listWithout, elsewhere, mustBeCreated, webhookBody } from '../webhook-requests.ts'

const refused = notApplicable('a second webhook with one endpoint is refused')

export const endpoint = scenario({
  title: 'webhooks with the same endpoint are listed, removed and created separately, of one agent or of two',
  exchanges: ['first', 'second', 'both', 'removal', 'left', 'again', 'foreign', 'own'],
  needs: { session: true },
  cost: { requests: 11, turns: 0 },
  async run(t) {
    const endpoint_url = elsewhere(t)
    // Ordinary text of a user, beyond ASCII.
    const words = { name: `Bücher 予約 ${t.text(12)}`, description: `Für Zoë: ${t.text(12)}`, endpoint_url }
    const first = await t.manage('first', { body: webhookBody(t, words) })
    const { id } = mustBeCreated(t, first)
    const second = await t.manage('second', { body: webhookBody(t, { endpoint_url }) })
    await t.manage('both', listWithAll(first, second))
    await t.manage('removal', { method: 'DELETE', path: `/${encodeURIComponent(id)}` })
    await t.manage('left', wasAccepted(second) ? listWithout(first, second) : {})
    const again = await t.manage('again', { body: webhookBody(t, { endpoint_url }) })
    if (t.secondAgent === '')
      throw notExercised('fixture-missing', 'no second agent of the account; declare `agents.second`')
    await t.manage('foreign', { body: webhookBody(t, { endpoint_url }), agent: t.secondAgent })
    await t.manage('own', listWithAll(again))
  },
  judge: {
    'HOOK-LIST-AS-SENT': ({ first, second, both }) =>
      wasAccepted(second)
        ? given(all(createdWebhook(first), areTwo(first, second)), () =>
            every([first, second], (one) => isListed(both, one)),
          )
        : refused,
    'HOOK-DELETE': ({ first, second, both, removal, left }) => {
      if (!wasAccepted(second)) return refused
      return inTurn(
        need(all(isListed(both, first), isListed(both, second), areTwo(first, second))),
        requestAccepted(removal),
        () => all(isListed(left, second), isUnlisted(left, first, second)),
      )
    },
    'SIGN-SECRET-OWN': ({ first, removal, again }) =>
      given(all(createdWebhook(first), requestAccepted(removal), createdWebhook(again)), () =>
        secretsApart([first, again]),
      ),
  },
})

function areTwo(first: Exchange, second: Exchange): Judgement {
  return check(
    identityOf(first)?.id !== identityOf(second)?.id,
    'an id of its own',
    'that of the first',
    second,
  )
}
