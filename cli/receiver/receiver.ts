/** `touchstone receiver`: posts deliveries to a receiver. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { receiverLogFile } from '../../bundle/names.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { retiredWebhookEvent, webhookEvents } from '../../spec/index.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { ownHeaders } from '../../suites/receivers/delivery.ts'
import { receiverAt, subjectSecrets, type Subject } from '../../suites/receivers/subject.ts'
import { runReceiver } from '../../suites/runner/drivers/receiver.ts'
import { identifiersIn, type Header } from '../../suites/wire/exchange.ts'
import { judgedRun, policyAt } from '../check/judged-run.ts'
import { limitedBy, vendorOf } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { ReceiverOptions } from '../commands/options.ts'
import { keepFirst, keepRunning } from '../client/runners.ts'
import { mustBeProgram, secretsIn, shownWords } from '../client/task-variables.ts'
import type { Io } from '../io.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { endpointAt, headerSecret, isLocal, secret } from '../values.ts'

/** `words`: the command that starts the receiver; empty if it is up. */
export const receiver = (
  url: string,
  words: readonly string[],
  options: ReceiverOptions,
  io: Io,
): Promise<CommandAnswer> =>
  judgedRun(options, 'receiver', io, () => {
    const plain = receiverSubject(url, options, io)
    const redactor = createRedactor([...subjectSecrets(plain), ...secretsIn(words, io.env)])
    const basis = { dialect: {}, policy: plain.policy }
    const [program] = words
    if (program === undefined) return { basis, redactor, run: (deps) => runReceiver(plain, deps) }
    mustBeProgram(program, io.env)
    const ends: string[] = []
    const subject: Subject = { ...plain, restartMs: startMs, ends: () => ends }
    const output = keepFirst(loggedBytes)
    const onEnd = (line: string): void => {
      const safe = redactor.text(line)
      if (!ends.includes(safe)) io.err(`${safe}\n`)
      ends.push(safe)
    }
    return {
      basis,
      redactor,
      others: shownWords(words),
      files: () => new Map([[receiverLogFile, redactor.text(output.text())]]),
      more: () =>
        `output of ${program}: ${join(options.out, receiverLogFile)}${output.text() === '' ? ' (empty)' : ''}\n`,
      async run(deps) {
        await mustBeFree(new URL(url))
        const stop = keepRunning({ words, env: io.env }, { onEnd, onOutput: output.add })
        try {
          return await runReceiver(subject, deps)
        } catch (error) {
          // Nothing of such a run is stored.
          const last = redactor.text(output.text()).trim().slice(-shownCharacters)
          io.err(`Output of ${program}: ${last || 'none'}\n`)
          throw error
        } finally {
          stop()
          for (const [line, { length }] of Map.groupBy(ends, (one) => one))
            if (length > 1) io.err(`${length} times: ${line}\n`)
        }
      },
    }
  })

/** What still listens there would be judged in place of the command. Elsewhere than on this machine a gateway may. */
async function mustBeFree({ hostname, port, protocol }: URL): Promise<void> {
  if (!isLocal(hostname)) return
  const at = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
  }
  const socket = connect(at)
  const connected = once(socket, 'connect')
  const answers = await connected.then(() => true).catch(() => false)
  socket.destroy()
  if (answers)
    throw new UsageError(
      `Something listens at ${hostname}:${at.port} already: stop it, or leave out the command.`,
    )
}

/** For programs that take their time. */
const startMs = 30_000
/** Of the output of the command. */
const [loggedBytes, shownCharacters] = [4 << 20, 1_000]

/** What was not declared is missing on purpose: that alone fails no gate, and the answer is then at best partial. */
const withoutEffects = {
  ...emptyPolicy,
  expectedNotExercised: [{ pattern: 'effects-unknown', reason: 'no --effects was given' }],
}

function receiverSubject(url: string, options: ReceiverOptions, { env }: Pick<Io, 'env'>): Subject {
  const { secret: reference, effects = null, policy } = options
  if (effects !== null && !effects.includes('{id}'))
    throw new UsageError(
      `--effects ${effects}: write {id} where the delivery id comes, such as http://localhost:3000/effects/{id}.`,
    )
  if (effects !== null) endpointAt('--effects', effects)
  endpointAt('the receiver', url)
  if (reference === undefined)
    throw new UsageError(
      '--secret is missing: deliveries are signed with the secret of the webhook, so that the receiver can verify them. ' +
        'Set it with `export WEBHOOK_SECRET=whsec_…`, and give --secret env:WEBHOOK_SECRET',
    )
  const plain = receiverAt(url, secret('--secret', reference, env))
  const stated = vendorOf(options)
  return {
    ...plain,
    ...stated,
    headers: (options.header ?? []).map((text) => header(text, env, ownHeaders(identifiersIn(stated)))),
    events: options.events?.map(event) ?? plain.events,
    agent: options.agent ?? plain.agent,
    ...(!options.trace && { trace: false }),
    effects,
    budgets: limitedBy(options, plain.budgets),
    requestsPerMinute: options.requestsPerMinute,
    policy: policyAt(policy, effects === null ? withoutEffects : emptyPolicy),
  }
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
