/** Two webhooks of an agent with one endpoint are two all the same, as are those of two agents. */
import { notExercised } from '../../scenario/ending.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import { scenario } from '../../scenario/scenario.ts'
import { all, broken, check, given, notApplicable, pass } from '../../scenario/expect.ts'
import { taken, wasTaken } from '../assertions/management/managed.ts'
import { secretsApart } from '../assertions/signature.ts'
import {
  absent,
  created,
  entryNamed,
  identityOf,
  isGone,
  isListed,
  listedAs,
} from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listOf, listWithout } from '../webhook-requests.ts'
import { elsewhere, mustBeCreated, webhookBody } from '../webhook-body.ts'

const refused = notApplicable('a second webhook with one endpoint is refused')

export const endpoint = scenario({
  title: 'webhooks with one endpoint are listed, removed and made anew each by itself, also of two agents',
  exchanges: ['first', 'second', 'both', 'removal', 'left', 'again', 'foreign', 'own'],
  needs: { session: true },
  cost: { requests: 11, turns: 0 },
  async run(t) {
    const endpoint_url = elsewhere(t)
    // As somebody would write them who is not asked to keep to ASCII.
    const words = { name: `Bücher 予約 ${t.text(12)}`, description: `Für Zoë: ${t.text(12)}`, endpoint_url }
    const first = await t.manage('first', { body: webhookBody(t, words) })
    const { id } = mustBeCreated(t, first)
    const second = await t.manage('second', { body: webhookBody(t, { endpoint_url }) })
    await t.manage('both', listOf(first, second))
    await t.manage('removal', { method: 'DELETE', path: `/${encodeURIComponent(id)}` })
    await t.manage('left', wasTaken(second) ? listWithout(first, second) : {})
    const again = await t.manage('again', { body: webhookBody(t, { endpoint_url }) })
    if (t.secondAgent === '')
      throw notExercised('fixture-missing', 'no second agent of the account; declare `agents.second`')
    await t.manage('foreign', { body: webhookBody(t, { endpoint_url }), agent: t.secondAgent })
    await t.manage('own', listOf(again))
  },
  judge: {
    'HOOK-LIST-AS-SENT': ({ first, second, both }) =>
      given(created(first), () =>
        all(listedAs(both, first), wasTaken(second) ? listedAs(both, second) : pass),
      ),
    'HOOK-LIST-OWN': ({ again, foreign, own }) =>
      given(all(created(foreign), listedAs(own, again)), () =>
        // By its name, which nobody else has: ids may count for each agent by itself.
        entryNamed(own, foreign) === undefined
          ? absent(own)
          : broken('a list of the webhooks of one agent', 'one of another agent among them', own),
      ),
    'HOOK-DELETE': ({ first, second, both, removal, left }) => {
      if (!wasTaken(second)) return refused
      return given(all(isListed(both, first), isListed(both, second), areTwo(first, second)), () =>
        all(taken(removal), isListed(left, second), isGone(left, first, second)),
      )
    },
    'SIGN-SECRET-OWN': ({ first, removal, again }) =>
      given(all(created(first), taken(removal), created(again)), () => secretsApart([first, again])),
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
