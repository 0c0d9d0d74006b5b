/** `touchstone pause` and `touchstone resume` */
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { controlCommand } from './control-command.ts'
import { namedItem } from './named.ts'

const actions = {
  pause: { description: 'pause the AI replies of an agent', done: 'paused' },
  resume: { description: 'resume the AI replies of an agent', done: 'resumed' },
} as const

export function agentCommands(context: CommandContext): readonly Command[] {
  return (['pause', 'resume'] as const).map((name) =>
    controlCommand(
      {
        name,
        description: actions[name].description,
        argument: ['<agent>', 'id or role of the agent, such as plain'],
        run:
          ([word = '']) =>
          async ({ tenant }) => {
            const { agents } = await tenant.read()
            const agent = namedItem('agent', word, agents, (one) => [one.name, one.id])
            await tenant[name](agent.id)
            const json = { agent: agent.id, name: agent.name, paused: name === 'pause' }
            return { text: `${actions[name].done} agent ${agent.name} (${agent.id})`, json }
          },
      },
      context,
    ),
  )
}
