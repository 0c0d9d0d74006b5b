/** What a command is told of the simulator beside it: variables of its environment, and words of its own. */
import type { Identifiers } from '../../spec/identifiers.ts'
import type { Ready } from '../simulate/greeting.ts'
import { UsageError } from '../usage-error.ts'

/** By the name of a placeholder; undefined for what there is none of. */
export type Handed = Readonly<Record<Placeholder, string | undefined>>

/** What every client reads; the two with the vendor's word in them stand beside these. */
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

export function handed(ready: Ready, token: string | undefined): Handed {
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

/** Laid over the environment of this process; what there is none of here is not taken from there either. */
export function environmentOf(values: Handed, identifiers: Identifiers): Record<string, string | undefined> {
  const named = Object.entries(variablesOf(identifiers)) as [Placeholder, string][]
  return Object.fromEntries(named.map(([placeholder, name]) => [name, values[placeholder]]))
}

/** Braces with anything else in them stay. Throws a UsageError for what there is none of. */
export function filled(words: readonly string[], values: Handed): readonly string[] {
  const put = (whole: string, name: string): string => {
    if (!Object.hasOwn(values, name)) return whole
    return values[name as Placeholder] ?? none(whole)
  }
  return words.map((word) => word.replaceAll(/\{([a-z_]+)\}/g, put))
}

function none(placeholder: string): never {
  const option = placeholder === '{control_token}' ? 'give --control-token' : 'leave --no-control away'
  throw new UsageError(`${placeholder} stands for nothing here: ${option}.`)
}
