/** The options of commands that start a simulator: its tenant, and access to the control plane. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { withVendor, type VendorCommandOptions } from '../vendor.ts'
import { withModifications, type ModificationOptions } from '../modifications.ts'
import { collect } from '../values.ts'

export interface SimulatorTenantOptions extends ModificationOptions, VendorCommandOptions {
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

export function withTenantOptions(command: Command): Command {
  return withVendor(withModifications(command))
    .option('--seed <text>', 'derive keys and ids from this seed', 'touchstone')
    .addOption(
      new Option('--clock <clock>', 'set the clock: real, frozen, frozen:TIME, offset:MS or scaled:FACTOR')
        .argParser(clockSetting)
        .default({ mode: 'real' }, 'real'),
    )
    .option('--replies <file>', 'reply by the rules of this YAML or JSON file')
    .option('--situation <name>', 'start in this situation; see `touchstone situations`')
    .option('--legacy', 'serve the older chat variant under /v1, too')
    .option(
      '--allow-target <target>',
      'allow webhooks to this host, address or network (repeatable)',
      collect,
    )
    .option(
      '--name-server <zone=address>',
      'resolve webhook host names of a zone with this name server, such as moving.example=127.0.0.1:5300 (repeatable)',
      collect,
    )
    .option('--no-control', 'switch off the control plane under /_sim/v1')
    .option('--control-token <ref>', 'require this token for the control plane, as env:NAME or file:PATH')
    .option(
      '--limit <name=number>',
      'set a limit for HTTP clients, such as tenants=50; see docs/security.md (repeatable)',
      collect,
    )
    .option('--log', 'print a line per request on stderr')
}

type ClockChoice =
  | { mode: 'real' }
  | { mode: 'frozen'; at?: number }
  | { mode: 'offset'; ms: number }
  | { mode: 'scaled'; factor: number }

const forms: Readonly<Record<string, (value: string) => ClockChoice | undefined>> = {
  real: (value) => (value === '' ? { mode: 'real' } : undefined),
  frozen(value) {
    if (value === '') return { mode: 'frozen' }
    const at = Date.parse(value)
    return Number.isNaN(at) ? undefined : { mode: 'frozen', at }
  },
  offset: (value) => (/^-?\d{1,14}$/.test(value) ? { mode: 'offset', ms: Number(value) } : undefined),
  scaled: (value) => (Number(value) > 0 ? { mode: 'scaled', factor: Number(value) } : undefined),
}

/** `real`, `frozen`, `frozen:2030-01-01T00:00:00Z`, `offset:86400000` (ms), `scaled:60`. */
export function clockSetting(text: string): ClockChoice {
  const [mode = '', ...rest] = text.split(':')
  const form = Object.hasOwn(forms, mode) ? forms[mode] : undefined
  const setting = form?.(rest.join(':'))
  if (setting && (setting.mode !== 'scaled' || Number.isFinite(setting.factor))) return setting
  throw new InvalidArgumentError(
    'Give real, frozen, frozen:2030-01-01T00:00:00Z, offset:MILLISECONDS or scaled:FACTOR.',
  )
}
