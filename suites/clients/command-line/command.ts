/** Commands for a command line, and judgements on exit code and output. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, inconclusive } from '../../scenario/expect.ts'
import { type Exchange, parseJson, type Json } from '../../wire/exchange.ts'
import { requestContains } from '../assertions/request.ts'
import { ifControlSucceeded, stepResult, sentTo } from '../assertions/step-result.ts'
import { anyReply, routes, script } from '../execution/step.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import type { CommandTask, ServiceSetup } from '../execution/task.ts'

type Arguments = readonly string[]
type Env = NonNullable<CommandTask['env']>

/** `{baseUrlVariable}` and `{apiKeyVariable}` stand for the variables of the service, `{base_url}` and so on for values. */
export const defaultEnv: Env = { '{baseUrlVariable}': '{base_url}', '{apiKeyVariable}': '{api_key}' }

export const withKey = (key: string | null): Env => ({ ...defaultEnv, '{apiKeyVariable}': key })

/** `beside`: what the command is given besides its words, and how its service is set up. */
export function command(
  words: Arguments,
  beside: Pick<CommandTask, 'env' | 'beforehand'> & ServiceSetup = {},
): ClientStep {
  const { env = defaultEnv, beforehand = [], ...service } = beside
  return { task: { do: 'command', words, env, beforehand }, service }
}

export const commandScenario: typeof clientScenario = (declaration) =>
  clientScenario({ clientKind: 'command-line', ...declaration })

/** The same step, but sending nothing is allowed: not for the first step of a scenario. */
export function maySendNothing(step: ClientStep): ClientStep {
  return { ...step, maySendNothing: true }
}

export function chatCommand(message: string, ...more: Arguments): Arguments {
  return [
    'chat',
    '--agent',
    '{agent}',
    '--message',
    message,
    '--idempotency-key',
    `turn-${message.toLowerCase().replaceAll(/\W+/g, '-')}`,
    ...more,
  ]
}

export function executeCommand(operation: string, input: string, ...more: Arguments): Arguments {
  return ['execute', operation, '--input', input, ...more]
}

export const importing = executeCommand(
  'customers.import',
  JSON.stringify({ customers: [{ name: 'Ada', email: 'ada@example.com' }] }),
  '--idempotency-key',
  'import-of-one-customer',
)

export const erasing = executeCommand(
  'customers.erase',
  JSON.stringify({ customerId: 'cus_1001', reason: 'customer-asked' }),
  '--idempotency-key',
  'erasure-of-one-customer',
)

/** What a command finds in its environment, and what a profile was saved with: a catalog of ours accepts either. */
export const environmentKey = 'sk-of-the-environment-lantern-2'
const profileKey = 'sk-of-the-profile-harbour-1'
export const profileName = 'harbour'

/** The key comes as a line, and in the environment for a command that looks there. */
export const login: Pick<CommandTask, 'words' | 'env' | 'stdin'> = {
  words: ['login', '--profile', profileName],
  env: withKey(profileKey),
  stdin: `${profileKey}\n`,
}

export const anyTurn = script(routes.chat, [anyReply])

export function turnsWith(exchanges: readonly Exchange[], message: string): readonly Exchange[] {
  return sentTo(exchanges, 'chat').filter((turn) => requestContains(turn, message))
}

export function exitsWithError(context: Context, step: string): Judgement {
  const result = stepResult(context, step)
  if (!result) return inconclusive('the result of the command is unknown')
  if (result.ended === 'timeout') return inconclusive('it reached the time limit of the step')
  return check(result.exitCode !== 0, 'an exit code other than 0', 'exit code 0')
}

/** Refused without a request, by a command that sends one in the control step. */
export function refusedLocally(
  twin: readonly Exchange[],
  sent: readonly Exchange[],
  context: Context,
  step: string,
): Judgement {
  return ifControlSucceeded(twin, () => {
    const [first] = sent
    const got = first ? `${first.request.method} ${first.request.path}` : ''
    return all(check(!first, `nothing sent in \`${step}\``, got, first), exitsWithError(context, step))
  })
}

export function stdoutOf(context: Context, step: string): string {
  return stepResult(context, step)?.stdout ?? ''
}

/** JSON values one after the other, each beginning on a line of its own; null where something else stands between. */
export function jsonValuesIn(text: string): readonly Json[] | null {
  const values: Json[] = []
  let begun = ''
  for (const line of text.split(/\r?\n/)) {
    if (begun === '' && line.trim() === '') continue
    begun += `${line}\n`
    const reading = parseJson(begun)
    if (!reading.ok) continue
    values.push(reading.value)
    begun = ''
  }
  return begun === '' ? values : null
}
