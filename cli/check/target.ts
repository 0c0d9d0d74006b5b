/** The target of a command line: the simulator, a target file, or a base URL with a key. */
import { existsSync } from 'node:fs'
import { optIns, type Target } from '../../suites/config/target.ts'
import { vendorStated } from '../../suites/config/sections/service.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import type { Permits } from '../../suites/runner/states/providers/provider.ts'
import { modificationsOf, modificationWords, vendorFrom, vendorWords } from '../options.ts'
import type { TargetOptions, VendorCommandOptions } from '../options.ts'
import type { Io } from '../io.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { baseUrlOption, headerSecret } from '../values.ts'

/** A target that is available until `close` is called. */
export interface OpenTarget {
  target: Target
  /** That of a target in this process. Default: real time. */
  clock?: Clock
  close: () => Promise<void>
}

export async function openTarget(
  named: string | undefined,
  options: TargetOptions,
  io: Io,
): Promise<OpenTarget> {
  // Options are checked before anything is started that would have to be closed.
  const change = changeOf(options)
  const vendor = vendorOf(options)
  const policy = options.policy && { policy: (await import('./judged-run.ts')).policyAt(options.policy) }
  const set = options.clauseSet && {
    contract: (await import('../../suites/policy/clause-set-file.ts')).findClauseSet(options.clauseSet),
  }
  const place = await open(named, options, io)
  const untraced = options.trace === false ? ['--no-trace'] : []
  const words = [...(place.target.arguments ?? []), ...vendorWords(options), ...untraced]
  return { ...place, target: { ...change(place.target), ...policy, ...vendor, ...set, arguments: words } }
}

/** Word and identifiers of the command line together replace those of a file. */
export function vendorOf(options: VendorCommandOptions): Pick<Target, 'vendor' | 'identifiers'> {
  const { vendor, identifiers } = vendorFrom(options)
  return vendorStated(vendor, identifiers)
}

/** What `init` writes. */
const usualFile = 'touchstone.yaml'
const foundFile = (): string | undefined => (existsSync(usualFile) ? usualFile : undefined)

/** The same for a command without a target: without the options, the word of the target file that is found. */
export async function vendorFound(options: VendorCommandOptions, env: Io['env']) {
  const file = options.vendor === undefined && options.identifier === undefined ? foundFile() : undefined
  if (file === undefined) return vendorOf(options)
  return (await import('../../suites/config/file/file.ts')).loadVendor(file, env)
}

async function open(named: string | undefined, options: TargetOptions, io: Io): Promise<OpenTarget> {
  if (named === 'simulator') return simulated(options)
  for (const name of ['fault', 'variant', 'interpret', 'legacy'] as const) {
    if (options[name]) throw new UsageError(`--${name} requires \`simulator\` as the target.`)
  }
  if (named !== undefined && options.baseUrl !== undefined)
    throw new UsageError('A target file and --base-url cannot be combined; leave one out.')
  const close = (): Promise<void> => Promise.resolve()
  const file = named ?? foundFile()
  if (options.baseUrl !== undefined) return { target: await bare(options.baseUrl, options, io), close }
  if (file !== undefined && /^https?:/.test(file))
    throw new UsageError(`${file} is a URL: give it as --base-url.`)
  if (file !== undefined) {
    const { loadTarget } = await import('../../suites/config/file/file.ts')
    return { target: { ...loadTarget(file, io.env), arguments: [file] }, close }
  }
  throw new UsageError(
    `no target: give \`simulator\`, a target file, or --base-url with --api-key and --agent; try: ${io.started.as} check simulator`,
  )
}

/** A first run takes a minute, unless a profile or some checks are asked for. */
async function bare(given: string, { apiKey, agent, only }: TargetOptions, { env }: Io): Promise<Target> {
  const baseUrl = baseUrlOption(given)
  if (apiKey === undefined)
    throw new UsageError('--base-url needs an API key: give --api-key env:NAME or file:PATH.')
  if (agent === undefined)
    throw new UsageError('--base-url needs an agent that the key may call: give --agent ID.')
  const { bareTarget } = await import('../../suites/config/bare.ts')
  const target = bareTarget({
    baseUrl,
    apiKey: headerSecret('--api-key', apiKey, env),
    apiKeySource: apiKey,
    agent,
  })
  const profile = only === undefined ? 'smoke' : target.profile
  return { ...target, profile, arguments: ['--base-url', baseUrl, '--api-key', apiKey, '--agent', agent] }
}

async function simulated(options: TargetOptions): Promise<OpenTarget> {
  const { baseUrl, apiKey, agent } = options
  if (baseUrl !== undefined || apiKey !== undefined || agent !== undefined)
    throw new UsageError(
      '--base-url, --api-key and --agent cannot be combined with `simulator`; leave them out.',
    )
  const { createSimulator, faultIds, variantIds } = await import('../../simulator/index.ts')
  const { simulatorTarget, skippingClock } = await import('../simulator-target.ts')
  const { legacy = false } = options
  const chosen = modificationsOf(options, { faults: faultIds, variants: variantIds })
  const { machine, clock } = skippingClock()
  const simulator = await createSimulator({ ...chosen, ...vendorFrom(options), legacy, machine })
  const modifications = [...modificationWords(options), ...(legacy ? ['--legacy'] : [])]
  const target = {
    ...simulatorTarget(simulator),
    arguments: ['simulator', ...modifications.flatMap((words) => words.split(' '))],
    ...(modifications.length > 0 && { modifications }),
  }
  return { target, clock, close: () => simulator.close() }
}

function changeOf(options: TargetOptions): (target: Target) => Target {
  const optIn = options.optIn?.map((name) => {
    const known = optIns.find((one) => one === name)
    if (known) return known
    throw new UsageError(`--opt-in ${name}: ${alternatives(name, optIns)}`)
  })
  return (target) => ({
    ...target,
    profile: options.profile ?? target.profile,
    optIn: optIn ?? target.optIn,
    readOnly: options.readOnly ?? target.readOnly,
    ...(options.trace === false && { trace: false }),
    budgets: limitedBy(options, target.budgets),
  })
}

type Limits = Pick<TargetOptions, 'maxRequests' | 'maxTurns' | 'maxCredits' | 'maxMinutes'>

export const limitedBy = (given: Limits, budgets: Target['budgets']): Target['budgets'] => ({
  ...budgets,
  requests: given.maxRequests ?? budgets.requests,
  turns: given.maxTurns ?? budgets.turns,
  credits: given.maxCredits ?? budgets.credits,
  wallSeconds: given.maxMinutes === undefined ? budgets.wallSeconds : given.maxMinutes * 60,
})

/**
 * Prompts for states that a person enters (`provide: manual`): prints the instruction and waits for Enter; `n` means that
 * it is not possible. Undefined without a terminal.
 */
export function personAt({ err, question }: Pick<Io, 'err' | 'question'>): Permits['ask'] {
  if (!question) return undefined
  return async ({ state, is, text, timeoutSeconds }, stop) => {
    err(`\n${is === 'enter' ? 'Needed for' : 'No longer needed:'} ${state}\n  ${text}\n`)
    const prompt = `  Press Enter when done, or n if it is not possible (${timeoutSeconds} s): `
    return !/^n/i.test((await question(prompt, stop)).trim())
  }
}
