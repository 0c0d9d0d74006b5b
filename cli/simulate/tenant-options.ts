/** The options of whoever opens a simulator: what its tenant is like, and who may control it. */
import { Option, type Command } from 'commander'
import { withVendor, type VendorOptions } from '../vendor.ts'
import { withModifications, type ModificationOptions } from '../modifications.ts'
import { collect } from '../values.ts'
import { clockSetting, type ClockChoice } from './clock-setting.ts'

export interface TenantStateOptions extends ModificationOptions, VendorOptions {
  seed: string
  clock: ClockChoice
  replies?: string
  situation?: string
  legacy?: true
  allowTarget?: readonly string[]
  nameServer?: readonly string[]
  limit?: readonly string[]
  log?: true
  control: boolean
  controlToken?: string
}

export function withTenantState(command: Command): Command {
  return withVendor(withModifications(command))
    .option('--seed <text>', 'the same seed gives the same keys and ids', 'touchstone')
    .addOption(
      new Option('--clock <clock>', 'real, frozen, frozen:TIME, offset:MS or scaled:FACTOR')
        .argParser(clockSetting)
        .default({ mode: 'real' }, 'real'),
    )
    .option('--replies <file>', 'reply with the rules of this file, as YAML or JSON')
    .option('--situation <name>', 'start in this situation; `touchstone situations` lists them')
    .option('--legacy', 'serve the older chat variant under /v1, too')
    .option(
      '--allow-target <target>',
      'let webhooks deliver to this host, address or network all the same (repeatable)',
      collect,
    )
    .option(
      '--name-server <zone=address>',
      'ask this name server, such as moving.example=127.0.0.1:5300, for names of webhooks in the zone (repeatable)',
      collect,
    )
    .option('--no-control', 'without the control plane under /_sim/v1')
    .option('--control-token <ref>', 'a token for the control plane, as env:NAME or file:PATH')
    .option(
      '--limit <name=number>',
      'how much those may take who ask over HTTP, such as tenants=50; docs/security.md has them (repeatable)',
      collect,
    )
    .option('--log', 'print a line per request on stderr')
}
