/** `touchstone sim trigger`, `deliveries`, `resend`, `approvals`, `approve`, `reject`, `pause` and `resume` */
import { webhookEvents, type WebhookEvent } from '../../spec/index.ts'
import { isObject } from '../../spec/json.ts'
import type { JsonObject } from '../../simulator/json.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { fileText } from '../values.ts'
import { controlRow, namedItem, table } from './row.ts'

const help = `Examples:
  touchstone sim trigger leads.submit
  touchstone sim trigger order.confirmed --agent second --data '{"order_id":"1001"}'
  touchstone sim trigger --list`

const isEvent = (word: string): word is WebhookEvent => Object.hasOwn(webhookEvents, word)

function eventNamed(word = ''): WebhookEvent {
  if (isEvent(word)) return word
  const all = '`touchstone sim trigger --list` lists all'
  if (word === '') throw new UsageError(`no event; name one such as leads.submit, ${all}.`)
  const advice = alternatives(word, Object.keys(webhookEvents))
  throw new UsageError(`${word}: unknown event; ${advice.startsWith('did') ? `${advice} ` : ''}${all}.`)
}

/** The JSON object of `--data`. Throws a UsageError. */
function objectIn(data: string): JsonObject {
  const text = data.startsWith('@') ? fileText(data.slice(1), `--data ${data}`) : data
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // As for any other value.
  }
  throw new UsageError(`--data ${data}: that is no JSON object; give one such as '{"name":"Ada"}', or @FILE.`)
}

const decisions = { approve: 'approved', reject: 'rejected' } as const
const replies = { pause: 'paused', resume: 'resumed' } as const

export const tenantRows = [
  controlRow({
    name: 'deliveries',
    description: 'list webhook deliveries with their last attempt',
    options: [['--webhook <id>', 'list only deliveries to this webhook']],
    run:
      (_, { webhook }) =>
      async ({ tenant }) => {
        const deliveries = await tenant.deliveries(webhook)
        const rows = deliveries.map(({ id, webhookId, event, at, state, attempts }) => {
          const last = attempts.at(-1)
          return [at, id, event, webhookId, state, last ? `attempt ${last.number}: ${last.reason}` : '']
        })
        return { text: table(rows, 'deliveries'), json: { deliveries } }
      },
  }),
  controlRow({
    name: 'resend',
    description: 'send a webhook delivery again',
    argument: ['[delivery]', 'id of the delivery (default: the newest)'],
    options: [['--duplicate', 'send it with the same id, as a duplicate that a receiver must ignore']],
    run:
      ([word], { duplicate: sameId = false }) =>
      async ({ tenant }) => {
        const all = (await tenant.deliveries()).toSorted((one, other) => one.at.localeCompare(other.at))
        const newest = all.at(-1)
        if (!newest)
          throw new UsageError('no delivery to send again: `touchstone sim trigger EVENT` makes one.')
        const { id, event } =
          word === undefined ? newest : namedItem('delivery', word, all, (one) => [one.id])
        const delivery = await tenant.again(id, { sameId })
        const text = `sent ${event} ${id} again, as ${sameId ? 'a duplicate' : delivery}`
        return { text, json: { delivery, event, duplicateOf: sameId ? id : null } }
      },
  }),
  controlRow({
    name: 'approvals',
    description: 'list the operations that wait for the owner, or were decided',
    run:
      () =>
      async ({ tenant }) => {
        const approvals = await tenant.approvals()
        const rows = approvals.map(({ id, operation, state, askedAt }) => [askedAt, id, operation, state])
        return { text: table(rows, 'approvals'), json: { approvals } }
      },
  }),
  ...(['approve', 'reject'] as const).map((name) =>
    controlRow({
      name,
      description: `${name} an operation as the owner`,
      argument: ['[approval]', 'id of the approval (default: the only pending one)'],
      run:
        ([word]) =>
        async ({ tenant }) => {
          const approvals = await tenant.approvals()
          const pending = approvals.filter(({ state }) => state === 'pending').map(({ id }) => id)
          if (word === undefined && pending.length === 0) throw new UsageError('no approval is pending.')
          if (word === undefined && pending.length > 1)
            throw new UsageError(
              `${pending.length} approvals are pending; name one of ${pending.join(', ')}.`,
            )
          const { id } = namedItem('approval', word ?? pending[0] ?? '', approvals, (one) => [one.id])
          const json = await tenant.decide(id, decisions[name])
          return { text: `${json.state} ${id} (${json.operation})`, json }
        },
    }),
  ),
  ...(['pause', 'resume'] as const).map((name) =>
    controlRow({
      name,
      description: `${name} the AI replies of an agent`,
      argument: ['<agent>', 'id or role of the agent, such as plain'],
      run:
        ([word = '']) =>
        async ({ tenant }) => {
          const { agents } = await tenant.read()
          const agent = namedItem('agent', word, agents, (one) => [one.name, one.id])
          await tenant[name](agent.id)
          const json = { agent: agent.id, name: agent.name, paused: name === 'pause' }
          return { text: `${replies[name]} agent ${agent.name} (${agent.id})`, json }
        },
    }),
  ),
]

export const trigger = controlRow({
  name: 'trigger',
  description: 'trigger a webhook event',
  argument: ['[event]', 'name of the event; see --list'],
  options: [
    ['--agent <id>', 'trigger it for the agent with this id or role (default: plain)'],
    ['--data <json>', 'send this JSON object as its data, or that in @FILE (default: a sample)'],
    ['--list', 'list the events'],
  ],
  help,
  run([word], { agent = 'plain', data, list }) {
    const all = Object.entries(webhookEvents)
    if (list) return { text: table(all, 'events'), json: all.map(([name, meaning]) => ({ name, meaning })) }
    const event = eventNamed(word)
    const payload = data === undefined ? undefined : objectIn(data)
    return async ({ tenant }) => {
      const { agents } = await tenant.read()
      const { id, name } = namedItem('agent', agent, agents, (one) => [one.name, one.id])
      const deliveries = await tenant.emit(event, { agent: id, payload })
      const count = `${deliveries.length} ${deliveries.length === 1 ? 'delivery' : 'deliveries'}`
      const text =
        deliveries.length === 0
          ? `no deliveries, because no active webhook of agent ${name} has selected it`
          : `${count}: ${deliveries.join(', ')}`
      return { text: `${event}: ${text}`, json: { event, deliveries } }
    }
  },
})
