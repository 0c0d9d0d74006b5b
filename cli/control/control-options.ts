/** The common options of commands that control a simulator. */
import type { Command } from 'commander'

export interface ControlOptions {
  control?: string
  controlToken?: string
  tenant?: string
  json?: true
}

const address = `
Without --control, TOUCHSTONE_CONTROL_URL names the simulator (default: http://127.0.0.1:4010), and
its default tenant is used. Without --control-token, TOUCHSTONE_CONTROL_TOKEN has the token.`

export function withControl(command: Command, help = ''): Command {
  return command
    .option('--control <url>', 'control the simulator, or the tenant, at this URL')
    .option('--control-token <ref>', 'use this control token, as env:NAME or file:PATH')
    .option('--tenant <id>', 'control this tenant')
    .option('--json', 'print JSON')
    .addHelpText('after', `${help === '' ? '' : `\n${help}\n`}${address}`)
}
