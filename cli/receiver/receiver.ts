/** `touchstone receiver`: posts deliveries to a receiver, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import { runReceiverUnredacted } from '../../suites/runner/drivers/receiver.ts'
import { subjectSecrets, receiverAt, type Subject } from '../../suites/receivers/subject.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { Io } from '../io.ts'
import { originFor } from '../check/origin.ts'
import { version } from '../version.ts'
import type { ReceiverOptions } from './options.ts'
import { retiredWebhookEvent, webhookEvents } from '../../spec/index.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import { emptyPolicy, type Policy } from '../../suites/policy/policy.ts'
import { ownHeaders } from '../../suites/receivers/delivery.ts'
import { namesUser } from '../../suites/wire/base-url.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { vendorStated } from '../../suites/config/sections/service.ts'
import { identifiersIn, type Header } from '../../suites/wire/exchange.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { headerSecret, secret } from '../values.ts'
import { vendorFrom } from '../vendor.ts'

/** Gives the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export function receiver(url: string, options: ReceiverOptions, io: Io): Promise<number> {
  const { seed = randomInt(2 ** 31 - 1), only } = options
  return judgedRun(options, 'receiver', io, () => {
    const subject = receiverSubject(url, options, io)
    return {
      policy: subject.policy,
      secrets: subjectSecrets(subject),
      run: ({ signal, onProgress }) =>
        runReceiverUnredacted(subject, {
          seed,
          version: version(),
          ...originFor(options, io.env),
          signal,
          onProgress,
          ...(only === undefined ? {} : { only }),
        }),
    }
  })
}

function receiverSubject(url: string, options: ReceiverOptions, { env }: Pick<Io, 'env'>): Subject {
  const effects = options.effects === undefined ? null : effectsUrl(options.effects)
  const plain = receiverAt(address('the receiver', url), secretOf(options, env))
  const { budgets } = plain
  const { vendor, identifiers } = vendorFrom(options)
  const stated = vendorStated(vendor, identifiers)
  return {
    ...plain,
    ...stated,
    headers: (options.header ?? []).map((text) => header(text, env, ownHeaders(identifiersIn(stated)))),
    events: options.events?.map(event) ?? plain.events,
    agent: options.agent ?? plain.agent,
    effects,
    budgets: {
      ...budgets,
      requests: options.maxRequests ?? budgets.requests,
      wallSeconds: options.maxMinutes === undefined ? budgets.wallSeconds : options.maxMinutes * 60,
    },
    policy: policyOf(options, effects),
  }
}

function secretOf({ secret: reference }: ReceiverOptions, env: Io['env']): string {
  if (reference !== undefined) return secret('--secret', reference, env)
  throw new UsageError(
    '--secret is missing: deliveries are signed with the secret of the webhook, so that the receiver can verify them. ' +
      'Set it with `export WEBHOOK_SECRET=whsec_…`, and give --secret env:WEBHOOK_SECRET',
  )
}

/** What was not declared is missing on purpose: that alone fails no gate, and the answer is then at best partial. */
function policyOf({ policy }: ReceiverOptions, effects: string | null): Policy {
  if (policy !== undefined) return loadPolicy(policy, realClock().wall().slice(0, 10))
  if (effects !== null) return emptyPolicy
  const reason = 'no --effects was given'
  return { ...emptyPolicy, expectedNotExercised: [{ pattern: 'effects-unknown', reason }] }
}

function address(what: string, url: string): string {
  const parsed = URL.parse(url)
  // The words leave the value out: it holds a password.
  if (parsed && namesUser(parsed))
    throw new UsageError(
      `The address of ${what} names a user; leave user and password out and give a --header instead.`,
    )
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.hash !== '')
    throw new UsageError(
      `${url}: give the address of ${what} such as http://localhost:3000/webhooks, without fragment.`,
    )
  return url
}

function effectsUrl(url: string): string {
  if (!url.includes('{id}'))
    throw new UsageError(
      `--effects ${url}: write {id} where the delivery id comes, such as http://localhost:3000/effects/{id}.`,
    )
  return address('the effects', url)
}

function header(text: string, env: Io['env'], own: readonly string[]): Header {
  const [, name = '', reference = ''] = /^([\w!#$%&'*+.^`|~-]+)=(.+)$/.exec(text) ?? []
  // The words leave the value out: it may be the secret itself.
  if (name === '') throw new UsageError('--header: give NAME=env:NAME or NAME=file:PATH.')
  if (own.includes(name.toLowerCase()))
    throw new UsageError(`--header ${name}: every delivery has its own; leave this one away.`)
  return [name, headerSecret(`--header ${name}`, reference, env)]
}

function event(name: string): string {
  if (Object.hasOwn(webhookEvents, name)) return name
  if (name === retiredWebhookEvent) throw new UsageError(`--events ${name}: it is called tool.executed now.`)
  throw new UsageError(`--events ${name}: unknown event; ${alternatives(name, Object.keys(webhookEvents))}`)
}
