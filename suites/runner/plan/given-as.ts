/** What a person gave for a target, named where it was given: the command line, or a target file. */
import type { Principal, Target } from '../../config/target.ts'

export interface GivenAs {
  baseUrl: string
  /** Of the API key. */
  key: string
  agent: string
}

export function givenAs(
  { arguments: [first] = [], agents }: Pick<Target, 'arguments' | 'agents'>,
  principal?: Pick<Principal, 'name' | 'source'> | null,
): GivenAs {
  const source = principal?.source
  if (first === '--base-url')
    return {
      baseUrl: '--base-url',
      key: `--api-key ${source ?? ''}`.trim(),
      agent: `--agent ${agents.plain}`,
    }
  const place = `principals.${principal?.name ?? 'main'}.bearer`
  return {
    baseUrl: 'target.baseUrl',
    key: source === undefined ? place : `${place} (${source})`,
    agent: `agents.plain (${agents.plain})`,
  }
}
