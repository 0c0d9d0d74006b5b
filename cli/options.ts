/** Options that several commands have. */
import { InvalidArgumentError } from 'commander'
import { flags, type OptionsOf } from './command.ts'
import { collect, collectWhole, positiveNumber, shard, single, wholeNumber } from './values.ts'
import { isDeepStrictEqual } from 'node:util'
import { contractIdentifiers, IdentifierError, identifiersOf, type Identifiers } from '../spec/identifiers.ts'
import { alternatives, hint } from './nearest.ts'
import { UsageError } from './usage-error.ts'
import { gapIds, gaps, type Interpretations } from '../spec/index.ts'

export const flag = {
  json: ['--json', 'print JSON'],
  quiet: ['--quiet', 'print the summary only, without progress'],
  observations: ['--verbose', 'list every observation, with its question'],
  outFolder: ['--out <folder>', 'write the reports to this folder', { default: 'touchstone-report' }],
  since: ['--since <folder>', 'report changes since this earlier run; see `touchstone diff`'],
  signKey: [
    '--sign-key <ref>',
    'sign the reports with the Ed25519 key in env:NAME or file:PATH; see `touchstone keygen`',
  ],
  origin: ['--no-origin', 'do not record who started the run and where (CI job, commit, user, host)'],
  clauseSet: ['--clause-set <set>', 'judge by this clause set, a name or a file', single],
  apiKey: ['--api-key <ref>', 'use this API key, as env:NAME or file:PATH'],
  trace: ['--no-trace', 'send no W3C traceparent, by which the log of the server has each request'],
  agent: ['--agent <id>', 'use this agent, which the key may call'],
  optIn: ['--opt-in <what>', 'allow slow, costly or destructive checks, or writes (repeatable)', collect],
  allowExec: ['--allow-exec', 'run the programs that the target file names for its states'],
} as const

export const vendorFlags = flags([
  ['--vendor <word>', 'set the word in X-WORD-Idempotent-Replay and all other identifiers with a vendor'],
  [
    '--identifier <name=value>',
    'set an identifier that does not follow from --vendor, such as replayHeader=X-Replayed; see docs/vendor.md (repeatable)',
    collectWhole,
  ],
])
export type VendorCommandOptions = OptionsOf<typeof vendorFlags>

export const modificationFlags = flags([
  ['--fault <name>', 'inject a deliberate defect (repeatable; see `touchstone list faults`)', collect],
  [
    '--variant <name>',
    'switch on an unusual, conforming behaviour (repeatable; see `touchstone list variants`)',
    collect,
  ],
  [
    '--interpret <gap=interpretation>',
    'choose an interpretation of an unspecified point (repeatable; see `touchstone list gaps`)',
    collect,
  ],
])
export type ModificationOptions = OptionsOf<typeof modificationFlags>

const only = 'clauses, scenarios or checks; * matches anything (repeatable)'
const seed = ['--seed <number>', 'repeat the random choices of a run', wholeNumber(0, 2 ** 31 - 1)] as const
const maxRequests = ['--max-requests <n>', 'limit the requests', wholeNumber(1)] as const
const maxMinutes = ['--max-minutes <n>', 'limit the duration', positiveNumber] as const

export const targetFlags = flags([
  ['--base-url <url>', 'use this base URL instead of a target file, with the smoke profile'],
  flag.apiKey,
  flag.agent,
  ['--policy <file>', 'use this policy instead of that of the target; see `touchstone baseline`'],
  ['--only <pattern>', `run only these areas, ${only}`, collect],
  ['--shard <n/of>', 'run one part of the plan, such as 2/4; see `touchstone merge`', shard],
  ['--profile <profile>', 'run this part of the suite', ['smoke', 'standard', 'exhaustive']],
  seed,
  maxRequests,
  ['--max-turns <n>', 'limit the billable turns', wholeNumber(0)],
  ['--max-credits <n>', 'limit the credits, as responses report them', positiveNumber],
  maxMinutes,
  flag.optIn,
  ['--read-only', 'send no write, webhook or destructive request, whatever the target allows'],
  ['--legacy', 'check the older chat variant of the simulator, too; does not affect the result'],
  flag.allowExec,
  ...vendorFlags,
  ...modificationFlags,
])
export type TargetOptions = OptionsOf<typeof targetFlags> & { clauseSet?: string; trace?: boolean }

/** Of `touchstone client` and `touchstone receiver`. */
export const runFlags = flags([
  ['--policy <file>', 'use this policy of known failures and expected missing results'],
  ['--only <pattern>', `run only these ${only}`, collect],
  seed,
  maxRequests,
  maxMinutes,
  flag.outFolder,
  flag.since,
  flag.signKey,
  flag.origin,
  flag.quiet,
  ...vendorFlags,
])

export const controlFlags = flags([
  ['--control <url>', 'control the simulator, or the tenant, at this URL'],
  ['--control-token <ref>', 'use this control token, as env:NAME or file:PATH'],
  ['--tenant <id>', 'control this tenant'],
  flag.json,
])
export type ControlOptions = OptionsOf<typeof controlFlags>
export const controlHelp = `
Without --control, TOUCHSTONE_CONTROL_URL names the simulator (default: http://127.0.0.1:4010), and
its default tenant is used. Without --control-token, TOUCHSTONE_CONTROL_TOKEN has the token.`

export const tenantFlags = flags([
  ...modificationFlags,
  ...vendorFlags,
  ['--seed <text>', 'derive keys and ids from this seed', { default: 'touchstone' }],
  [
    '--clock <clock>',
    'set the clock: real, frozen, frozen:TIME, offset:MS or scaled:FACTOR',
    { as: clockSetting, default: { mode: 'real' }, shown: 'real' },
  ],
  ['--replies <file>', 'reply by the rules of this YAML or JSON file'],
  ['--situation <name>', 'start in this situation; see `touchstone list situations`'],
  ['--legacy', 'serve the older chat variant under /v1, too'],
  ['--allow-target <target>', 'allow webhooks to this host, address or network (repeatable)', collect],
  [
    '--name-server <zone=address>',
    'resolve webhook host names of a zone with this name server, such as moving.example=127.0.0.1:5300 (repeatable)',
    collect,
  ],
  ['--no-control', 'switch off the control plane under /_sim/v1'],
  ['--control-token <ref>', 'require this token for the control plane, as env:NAME or file:PATH'],
  [
    '--limit <name=number>',
    'set a limit for HTTP clients, such as tenants=50; see docs/security.md (repeatable)',
    collect,
  ],
  ['--log', 'print a line per request on stderr'],
])
export type SimulatorTenantOptions = OptionsOf<typeof tenantFlags>

type ClockChoice =
  | { mode: 'real' }
  | { mode: 'frozen'; at?: number }
  | { mode: 'offset'; ms: number }
  | { mode: 'scaled'; factor: number }

/** `real`, `frozen`, `frozen:2030-01-01T00:00:00Z`, `offset:86400000` (ms), `scaled:60`. */
export function clockSetting(given: string): ClockChoice {
  const [, mode, value = ''] = /^(real|frozen|offset|scaled)(?::(.*))?$/s.exec(given) ?? []
  const number = Number(value)
  if (mode === 'real' && value === '') return { mode }
  if (mode === 'frozen' && value === '') return { mode }
  if (mode === 'frozen' && !Number.isNaN(Date.parse(value))) return { mode, at: Date.parse(value) }
  if (mode === 'offset' && /^-?\d{1,14}$/.test(value)) return { mode, ms: number }
  if (mode === 'scaled' && number > 0 && Number.isFinite(number)) return { mode, factor: number }
  throw new InvalidArgumentError(
    'Give real, frozen, frozen:2030-01-01T00:00:00Z, offset:MILLISECONDS or scaled:FACTOR.',
  )
}

/** The word and single identifiers, as in options of the library and members of the target file. */
type VendorChoice = { vendor?: string; identifiers?: Partial<Identifiers> }

/** The values of both options; empty if none is given. Throws a UsageError for an invalid one. */
export function vendorFrom({ vendor, identifier = [] }: VendorCommandOptions): VendorChoice {
  const identifiers = identifier.length > 0 ? Object.fromEntries(identifier.map(pair)) : undefined
  const choice = { vendor, identifiers }
  resolved(choice)
  return choice
}

/** The same options again, for a further command. */
export const vendorWords = ({ vendor, identifier = [] }: VendorCommandOptions): readonly string[] => [
  ...(vendor === undefined ? [] : ['--vendor', vendor]),
  ...identifier.flatMap((one) => ['--identifier', one]),
]

/** All identifiers by the options; by default those of the contract. Throws a UsageError. */
export const identifiersFrom = (options: VendorCommandOptions): Identifiers => resolved(vendorFrom(options))

/**
 * The variables from which a child process such as `service-client` reads the vendor's word. Both are undefined for
 * the contract's own word, so that values of the outer environment are not passed on.
 */
export function vendorVariables({ vendor, identifiers }: { vendor?: string; identifiers?: Identifiers }) {
  const isOwn = identifiers !== undefined && !isDeepStrictEqual(identifiers, contractIdentifiers)
  return {
    TOUCHSTONE_VENDOR: isOwn ? vendor : undefined,
    TOUCHSTONE_IDENTIFIERS: isOwn ? JSON.stringify(identifiers) : undefined,
  }
}

function pair(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(
      `--identifier ${JSON.stringify(text)} is not NAME=VALUE; write it as replayHeader=X-Replayed.`,
    )
  const names = Object.keys(contractIdentifiers)
  if (!names.includes(name))
    throw new UsageError(`--identifier ${name}: unknown name; ${alternatives(name, names)}`)
  return [name, value]
}

function resolved({ vendor, identifiers }: VendorChoice): Identifiers {
  try {
    return identifiersOf(vendor, identifiers)
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    throw new UsageError(`--vendor WORD, --identifier NAME=VALUE: ${error.message}`)
  }
}

export const modificationsOf = <F extends string, V extends string>(
  { fault = [], variant = [], interpret = [] }: ModificationOptions,
  known: { faults: readonly F[]; variants: readonly V[] },
): { faults: readonly F[]; variants: readonly V[]; interpretations: Partial<Interpretations> } => ({
  faults: fault.map((name) => demand('--fault', name, known.faults, 'touchstone list faults')),
  variants: variant.map((name) => demand('--variant', name, known.variants, 'touchstone list variants')),
  interpretations: Object.fromEntries(interpret.map(interpretationOf)),
})

/** The modifications as words of a command line, to reproduce them. */
export const modificationWords = (given: ModificationOptions): readonly string[] =>
  (['fault', 'variant', 'interpret'] as const).flatMap((kind) =>
    (given[kind] ?? []).map((name) => `--${kind} ${name}`),
  )

function interpretationOf(text: string): readonly [gap: string, interpretation: string] {
  const [gap = '', interpretation = ''] = text.split('=', 2)
  demand('--interpret', gap, gapIds, 'touchstone list gaps')
  const known = gapIds.find((id) => id === gap)
  const interpretations = known ? Object.keys(gaps[known].interpretations) : []
  if (!interpretations.includes(interpretation))
    throw new UsageError(
      `--interpret ${text}: unknown interpretation; ${alternatives(interpretation, interpretations)}`,
    )
  return [gap, interpretation]
}

function demand<N extends string>(option: string, name: string, names: readonly N[], where: string): N {
  const found = names.find((one) => one === name)
  if (found !== undefined) return found
  throw new UsageError(`${option} ${name}: unknown name${hint(name, names)}; \`${where}\` lists all.`)
}
