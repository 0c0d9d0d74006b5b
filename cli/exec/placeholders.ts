/** What `touchstone exec` passes to its command: environment variables, and placeholders in arguments. */
import type { Identifiers } from '../../spec/identifiers.ts'
import type { Ready } from '../simulate/greeting.ts'
import { UsageError } from '../usage-error.ts'

/** By the name of the placeholder; undefined for what the simulator does not have. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | undefined>>

/** Variables whose names do not depend on the vendor. */
const variables = {
  agent: 'TOUCHSTONE_AGENT',
  session: 'TOUCHSTONE_SESSION',
  seed: 'TOUCHSTONE_SEED',
  control_url: 'TOUCHSTONE_CONTROL_URL',
  control_token: 'TOUCHSTONE_CONTROL_TOKEN',
  tenant: 'TOUCHSTONE_TENANT',
} as const

type Placeholder = keyof typeof variables | 'base_url' | 'api_key'

const variablesOf = ({ baseUrlVariable, apiKeyVariable }: Identifiers): Record<Placeholder, string> => ({
  base_url: baseUrlVariable,
  api_key: apiKeyVariable,
  ...variables,
})

export function placeholderValues(ready: Ready, token: string | undefined): PlaceholderValues {
  const { url, seed, keys, agents, sessions, control } = ready
  return {
    base_url: url,
    api_key: keys.main,
    agent: agents.plain,
    session: sessions.main,
    seed,
    control_url: control ?? undefined,
    control_token: token,
    tenant: JSON.stringify(ready),
  }
}

/** Overrides the environment of this process; an undefined value removes the variable. */
export function environmentOf(
  values: PlaceholderValues,
  identifiers: Identifiers,
): Record<string, string | undefined> {
  const named = Object.entries(variablesOf(identifiers)) as [Placeholder, string][]
  return Object.fromEntries(named.map(([placeholder, name]) => [name, values[placeholder]]))
}

/** Leaves other braces unchanged. Throws a UsageError for a placeholder without a value. */
export function fillArguments(words: readonly string[], values: PlaceholderValues): readonly string[] {
  const put = (whole: string, name: string): string => {
    if (!Object.hasOwn(values, name)) return whole
    return values[name as Placeholder] ?? unsetPlaceholder(whole)
  }
  return words.map((word) => word.replaceAll(/\{([a-z_]+)\}/g, put))
}

function unsetPlaceholder(placeholder: string): never {
  const option = placeholder === '{control_token}' ? 'give --control-token' : 'leave out --no-control'
  throw new UsageError(`${placeholder} has no value: ${option}.`)
}
