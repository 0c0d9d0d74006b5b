/** `touchstone trigger` */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { webhookEvents, type WebhookEvent } from '../../spec/index.ts'
import { isObject, type JsonObject } from '../../simulator/json.ts'
import { readProblem } from '../../suites/config/file/unreadable.ts'
import type { CommandContext } from '../command-context.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { controlCommand } from './control-command.ts'
import { alignedRows, namedItem } from './named.ts'

interface Options {
  agent?: string
  data?: string
  list?: true
}

const help = `Examples:
  touchstone trigger leads.submit
  touchstone trigger order.confirmed --agent second --data '{"order_id":"1001"}'
  touchstone trigger --list`

export function triggerCommand(context: CommandContext): Command {
  return controlCommand<Options>(
    {
      name: 'trigger',
      description: 'trigger a webhook event',
      argument: ['[event]', 'name of the event; see --list'],
      options: (command) =>
        command
          .option('--agent <id>', 'trigger it for the agent with this id or role (default: plain)')
          .option('--data <json>', 'send this JSON object as its data, or that in @FILE (default: a sample)')
          .option('--list', 'list the events'),
      help,
      run([word], { agent = 'plain', data, list }) {
        if (list) return listed()
        const event = eventNamed(word)
        const payload = data === undefined ? undefined : objectIn(data)
        return async ({ tenant }) => {
          const { agents } = await tenant.read()
          const { id, name } = namedItem('agent', agent, agents, (one) => [one.name, one.id])
          const deliveries = await tenant.emit(event, { agent: id, ...(payload && { payload }) })
          return { text: `${event}: ${deliveriesText(deliveries, name)}`, json: { event, deliveries } }
        }
      },
    },
    context,
  )
}

function listed() {
  const rows = Object.entries(webhookEvents)
  return { text: alignedRows(rows), json: rows.map(([name, meaning]) => ({ name, meaning })) }
}

const isEvent = (word: string): word is WebhookEvent => Object.hasOwn(webhookEvents, word)

function eventNamed(word = ''): WebhookEvent {
  if (isEvent(word)) return word
  const all = '`touchstone trigger --list` lists all'
  if (word === '') throw new UsageError(`no event; name one such as leads.submit, ${all}.`)
  const advice = alternatives(word, Object.keys(webhookEvents))
  throw new UsageError(`${word}: unknown event; ${advice.startsWith('did') ? `${advice} ` : ''}${all}.`)
}

function deliveriesText(ids: readonly string[], agent: string): string {
  if (ids.length === 0) return `no deliveries, because no active webhook of agent ${agent} has selected it`
  return `${ids.length} ${ids.length === 1 ? 'delivery' : 'deliveries'}: ${ids.join(', ')}`
}

/** The JSON object of `--data`. Throws a UsageError. */
function objectIn(data: string): JsonObject {
  const path = data.startsWith('@') ? data.slice(1) : undefined
  const text = path === undefined ? data : contentsOf(path)
  const value = parsed(text)
  if (isObject(value)) return value
  throw new UsageError(`--data ${data}: that is no JSON object; give one such as '{"name":"Ada"}', or @FILE.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function contentsOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--data @${path}: ${readProblem(path, error)}`)
  }
}
