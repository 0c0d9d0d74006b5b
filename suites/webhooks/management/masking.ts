/** The secret of a webhook is shown once. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import { coreOf, shownCharacters } from '../assertions/management/disclosure.ts'
import { fail, given, inconclusive, observed, pass, warn } from '../../scenario/expect.ts'
import { resultOf, createdWebhook, judgeEntry, entryOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, mustBeCreated, webhookBody } from '../webhook-requests.ts'

export const secret = scenario({
  title: 'the secret of a webhook is in the response to its creation and in no other',
  exchanges: ['creation', 'list', 'updated', 'relisted', 'log'],
  needs: { session: true },
  cost: { requests: 6, turns: 0 },
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    const { id, secret: key } = mustBeCreated(t, creation)
    const path = `/${encodeURIComponent(id)}`
    const preview = entryOf(await t.manage('list', listWithAll(creation)), creation)?.['secret_key_preview']
    // The record does not contain the secret, so note here how much of it is shown.
    if (typeof preview === 'string') {
      t.note('shown', String(shownCharacters(key, preview)))
      t.note('of', coreOf(key).length)
    }
    await t.manage('updated', { method: 'PATCH', path, body: { name: t.text(24) } })
    await t.manage('relisted')
    await t.manage('log', { path: `${path}/logs` })
  },
  judge: {
    'HOOK-LIST-PREVIEW': ({ creation, list }, context) => preview(list, creation, context),
  },
  observe: {
    'GAP-SECRET-PREVIEW': ({ creation }, { notes }) =>
      given(createdWebhook(creation), () =>
        notes['shown'] === undefined
          ? inconclusive('there is no preview')
          : observed(`it shows ${notes['shown']} characters of the secret`),
      ),
    'GAP-WEBHOOK-BODIES': ({ creation, updated }) =>
      given(createdWebhook(creation), () =>
        observed(`an update is ${resultOf(updated)}, with ${bodyOf(updated)}`),
      ),
  },
})

/** With so few characters masked, a secret is shown. */
const leastMasked = 4

/** How much of it may be shown is not stated: less than half is certainly masked. */
function preview(list: Exchange, creation: Exchange, { notes }: Context): Judgement {
  return judgeEntry(list, creation, ({ secret_key_preview: masked }) => {
    const expected = 'a `secret_key_preview` with less than half of the secret'
    if (typeof masked !== 'string' || masked === '')
      return fail(expected, `\`secret_key_preview\`: ${JSON.stringify(masked) ?? 'none'}`, list)
    const shown = Number(notes['shown'])
    if (shown === Number.POSITIVE_INFINITY) return fail(expected, 'all of it', list)
    const judge = shown >= Number(notes['of']) - leastMasked ? fail : warn
    return 2 * shown < Number(notes['of']) ? pass : judge(expected, `${shown} characters`, list)
  })
}

function bodyOf(exchange: Exchange): string {
  const body = object(exchange)
  return body ? `an object of ${Object.keys(body).sort().join(', ') || 'nothing'}` : 'no object'
}
