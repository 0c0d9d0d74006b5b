/** `touchstone exec`: the options; the simulator is loaded when it runs. */
import { Command } from 'commander'
import { contractIdentifiers, withIdentifiers } from '../../spec/identifiers.ts'
import type { Bench } from '../bench.ts'
import { withTenantState, type TenantStateOptions } from '../simulate/tenant-options.ts'

const help = `
The command finds in its environment:
  {baseUrlVariable}         where the simulator listens, on this machine alone
  {apiKeyVariable}          an API key that may do everything
  TOUCHSTONE_AGENT         id of the agent that repeats what it was told
  TOUCHSTONE_SESSION       token of a signed-in user
  TOUCHSTONE_SEED          what keys and ids follow from
  TOUCHSTONE_CONTROL_URL   control base of its tenant, unless --no-control
  TOUCHSTONE_CONTROL_TOKEN with --control-token
  TOUCHSTONE_TENANT        all keys, agents and sessions by role, as JSON

With --vendor acme, the first two are ACME_BASE_URL and ACME_API_KEY. In its words, {base_url}, {api_key}, {agent}, {session}, {seed}, {control_url} and {control_token}
stand for the same. No shell comes between. The exit code is that of the command, or 128 and the
number of the signal that ended it; 2 where it cannot be run.

Examples:
  touchstone exec -- npm test
  touchstone exec --clock frozen --replies replies.yaml -- python -m pytest
  touchstone exec -- ./my-client --url {base_url} --key {api_key}`

export function execCommand({ io, end }: Bench): Command {
  const command = new Command('exec').description('run a command beside a simulator of its own')
  return withTenantState(command)
    .argument('<command...>', 'after --: what to run, and its words')
    .addHelpText('after', withIdentifiers(help, contractIdentifiers))
    .action(async (words: readonly string[], options: TenantStateOptions) => {
      const { exec } = await import('./exec.ts')
      end(await exec(words, options, io))
    })
}
