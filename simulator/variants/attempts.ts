/** Deliveries that come at unusual times, or more often than they must. */
import { withTargets, nameServerOf } from '../webhooks/guard/addresses.ts'
import type { Rules } from '../rules/tenant-state.ts'
import { askServer } from '../webhooks/guard/guard.ts'
import { withFieldRule } from '../modification/webhook-changes.ts'
import type { AttemptRecord } from '../tenant/webhooks/delivery.ts'
import type { Webhook } from '../tenant/webhooks/webhook.ts'
import { variant, type Variant } from '../modification/modification.ts'

/** One in so many deliveries is tried again though it was taken. */
const repeatedOneIn = 7

const hostIn = (url: string): string => URL.parse(url)?.hostname ?? ''

/** From now on a name leads where it leads now. */
function pin(url: string, { rules }: { rules: Pick<Rules, 'guard'> }): void {
  const host = hostIn(url)
  const server = nameServerOf(host, rules.guard)
  if (server === undefined) return
  askServer(server, host, (_error, addresses) => {
    if (addresses.length > 0) rules.guard = withTargets(rules.guard, { names: { [host]: addresses } })
  })
}

export const attemptVariants = {
  'delivery-now-and-then-twice': variant({
    title: 'One delivery in seven comes again after it succeeded.',
    allowed: 'Deliveries come at least once.',
    rules: (rules) => {
      let taken = 0
      return {
        retries: (attempt) =>
          rules.retries(attempt) ||
          (attempt.number === 1 && attempt.outcome === 'delivered' && ++taken % repeatedOneIn === 0),
      }
    },
  }),
  'first-delivery-twice': variant({
    title: 'The first delivery to a webhook that succeeds comes again.',
    allowed: 'Deliveries come at least once.',
    rules: (rules, state) => {
      const known = new Set<string>()
      const isFirst = (attempt: AttemptRecord): boolean => {
        const webhook = [...state.webhooks.keys()].find((id) =>
          state.outbox.deliveriesOf(id).some(({ attempts }) => attempts.includes(attempt)),
        )
        if (webhook === undefined || known.has(webhook)) return false
        return Boolean(known.add(webhook))
      }
      return {
        retries: (attempt) => rules.retries(attempt) || (attempt.outcome === 'delivered' && isFirst(attempt)),
      }
    },
  }),
  'first-attempt-after-three-seconds': variant({
    title: 'The first attempt comes three seconds after its event.',
    allowed: 'How long at once may take is not stated.',
    rules: () => ({ firstWaitMs: 3_000 }),
  }),
  'long-backoff': variant({
    title: 'Half a minute passes between two attempts.',
    allowed: 'How long a backoff is is not shown.',
    rules: () => ({ backoffMs: () => 30_000 }),
  }),
  'short-backoff': variant({
    title: 'A quarter of a second passes between two attempts.',
    allowed: 'How long a backoff is is not shown.',
    rules: () => ({ backoffMs: () => 250 }),
  }),
  'answer-awaited-eight-seconds': variant({
    title: 'An answer to a delivery is waited for eight seconds.',
    allowed: 'The wait is about ten seconds.',
    rules: () => ({ answerWaitMs: 8_000 }),
  }),
  'answer-awaited-fourteen-seconds': variant({
    title: 'An answer to a delivery is waited for fourteen seconds.',
    allowed: 'The wait is about ten seconds.',
    rules: () => ({ answerWaitMs: 14_000 }),
  }),
  'short-endpoint-pause': variant({
    title: 'Three failed deliveries pause an endpoint for a minute.',
    allowed: 'How many failures pause an endpoint, and for how long, is not shown.',
    rules: () => ({ endpointPause: { after: 3, ms: 60_000 } }),
  }),
  'pause-of-a-whole-host': variant({
    title: 'While the endpoint of one webhook is paused, nothing goes to any other at a host of that name.',
    allowed: 'How many endpoints there are at one host is not stated.',
    warns: ['ATT-PAUSE-OWN'],
    rules: (rules, { webhooks, outbox, clock }) => {
      const isPaused = ({ id }: Webhook): boolean => clock.now() < (outbox.health(id)?.pause?.until ?? 0)
      return {
        selects: (webhook, event) =>
          rules.selects(webhook, event) &&
          ![...webhooks.values()].some(
            (one) =>
              one !== webhook && hostIn(one.endpointUrl) === hostIn(webhook.endpointUrl) && isPaused(one),
          ),
      }
    },
  }),
  'one-delivery-at-a-time': variant({
    title: 'A service sends one attempt at a time, whichever webhook it is for.',
    allowed: 'How many deliveries go out at once is not stated.',
    rules: () => ({ concurrency: { state: 1, webhook: 1 } }),
  }),
  'address-of-the-creation-kept': variant({
    title: 'A webhook is delivered to the addresses that its name had when it was made.',
    allowed: 'When a name is looked up is not stated, and nothing is delivered to a private address.',
    rules: (rules, of) => ({
      created(webhook) {
        pin(webhook.endpointUrl, of)
        return rules.created(webhook)
      },
    }),
  }),
  'address-of-the-first-delivery-kept': variant({
    title: 'A webhook is delivered to the addresses that its name had before its first attempt.',
    allowed: 'When a name is looked up is not stated, and nothing is delivered to a private address.',
    delivery(message, { attempt }, of) {
      if (attempt === 1) pin(message.url, of)
      return message
    },
  }),
  'unknown-zones-refused': variant({
    title: 'An endpoint is refused whose name is in a zone that the public root does not know.',
    allowed: 'That a service takes names that it cannot look up is not stated.',
    rules: (rules, of) =>
      withFieldRule('endpoint-allowed', ({ endpoint_url: url }, { rules: now }) => {
        if (typeof url !== 'string') return null
        return nameServerOf(hostIn(url), now.guard) === undefined
          ? now.endpointProblem(url, of)
          : 'The name of the endpoint cannot be found.'
      })(rules, of),
  }),
} as const satisfies Record<string, Variant>
