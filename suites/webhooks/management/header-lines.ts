/** Custom headers with line breaks. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered } from '../../assertions/answer.ts'
import { someArrived, attemptsIn, deliveredHeaderValues } from '../assertions/deliveries.ts'
import { all, check, every } from '../../scenario/expect.ts'
import { identityOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { sampleTo, webhookBody } from '../webhook-requests.ts'

/** Arrives as a separate header if a line break in a value or a name is sent unchanged. */
const injected = 'X-Touchstone-Injected'
const withLines: readonly Readonly<Record<string, string>>[] = [
  { 'X-Touchstone-Broken': `one\r\n${injected}: two` },
  { [`X-Touchstone-Broken: one\r\n${injected}`]: 'two' },
]

/** Time on the target's clock; a header that cannot be sent may prevent its delivery. */
const atOnceMs = 5_000

export const injection = scenario({
  title: 'the text after a line break in a custom header does not become a header',
  exchanges: ['hook', 'test', 'plain[]', 'creations[]', 'tests[]', 'arrived[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 3 * (withLines.length + 1), turns: 0 },
  async run(t) {
    const control = t.endpoint('plain')
    const hook = await t.webhook('hook', control)
    for (const custom_headers of withLines) {
      const place = t.endpoint('arrived')
      const body = webhookBody(t, { endpoint_url: place.url, events: [t.event], custom_headers })
      const made = identityOf(await t.manageMore('creations', { body }))
      if (!made) continue
      await t.manageMore('tests', sampleTo(made))
      await place.arrived(1, atOnceMs)
    }
    await t.manage('test', sampleTo(hook))
    await control.arrived(1)
  },
  judge: {
    'DLV-HEADER-LINES': ({ creations, plain, arrived }) =>
      all(
        every(creations, (one) => answered(one)),
        someArrived(attemptsIn(plain), 'the control endpoint'),
        ...arrived.map(isFree),
      ),
  },
})

function isFree(attempt: Exchange): Judgement {
  const [value] = deliveredHeaderValues(attempt, injected)
  return check(
    value === undefined,
    'no header but those of the webhook',
    `${injected}: ${value}, out of the value or the name of another`,
    attempt,
  )
}
