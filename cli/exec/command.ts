/** `touchstone exec`: the options; the simulator is loaded when it runs. */
import { Command } from 'commander'
import { contractIdentifiers, withIdentifiers } from '../../spec/identifiers.ts'
import type { CommandContext } from '../command-context.ts'
import { withTenantOptions, type SimulatorTenantOptions } from '../simulate/tenant-options.ts'

const help = `
Environment of the command:
  {baseUrlVariable}         base URL of the simulator, on the loopback interface
  {apiKeyVariable}          API key with all scopes
  TOUCHSTONE_AGENT         id of the agent that repeats the message
  TOUCHSTONE_SESSION       token of a signed-in user
  TOUCHSTONE_SEED          seed of keys and ids
  TOUCHSTONE_CONTROL_URL   control URL of the tenant, unless --no-control
  TOUCHSTONE_CONTROL_TOKEN with --control-token
  TOUCHSTONE_TENANT        all keys, agents and sessions by role, as JSON

With --vendor acme, the first two are ACME_BASE_URL and ACME_API_KEY. In arguments of the command,
{base_url}, {api_key}, {agent}, {session}, {seed}, {control_url} and {control_token} are replaced by
the same values. No shell is involved. The exit code is that of the command, or 128 plus the number
of the signal that ended it, or 2 if the command cannot be started.

Examples:
  touchstone exec -- npm test
  touchstone exec --clock frozen --replies replies.yaml -- python -m pytest
  touchstone exec -- ./my-client --url {base_url} --key {api_key}`

export function execCommand({ io, end }: CommandContext): Command {
  const command = new Command('exec').description('run a command with a simulator of its own')
  return withTenantOptions(command)
    .argument('<command...>', 'after --: the command and its arguments')
    .addHelpText('after', withIdentifiers(help, contractIdentifiers))
    .action(async (words: readonly string[], options: SimulatorTenantOptions) => {
      const { runExec: exec } = await import('./exec.ts')
      end(await exec(words, options, io))
    })
}
