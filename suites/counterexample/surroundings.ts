/** Whose keys and which agents a scenario was run with, so that a step names them by what they are to it. */
import { choosingFor } from '../runner/plan/event-choice.ts'
import { ScenarioEnded } from '../scenario/ending.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { Setting } from '../scenario/setting.ts'
import { settle } from '../runner/states/settings.ts'
import type { Target } from '../config/target.ts'

export interface Surroundings {
  /** Role of a principal, by the name that stands in an exchange. */
  roleOf(principal: string): string | null
  /** Role by the name of a token that stands where a secret was. */
  roleOfToken(token: string): string | null
  /** What an agent is to the scenario, by its id. */
  agentOf(id: string): string | null
  /** An id that was made to look like that of an agent: it says nothing about another target. */
  isLookalike(id: string): boolean
}

export function surroundingsOf(id: string, scenario: AnyScenario, target: Target): Surroundings {
  const settled = settle(scenario, target, '', choosingFor(id, target, {}))
  const cast: Setting['cast'] = settled instanceof ScenarioEnded ? {} : settled.cast
  const roles = Object.entries(cast)
  const agents = agentsOf(cast, target)
  return {
    roleOf: (principal) => roles.find(([, { name }]) => name === principal.replace(/#\d+$/, ''))?.[0] ?? null,
    roleOfToken: (token) =>
      roles.find(([, { name }]) => token === `key:${name.replaceAll(/[^\w.-]/g, '-')}`)?.[0] ?? null,
    agentOf: (agent) => agents.get(agent) ?? null,
    isLookalike: (agent) => [...agents.keys()].some((known) => likeEachOther(known, agent)),
  }
}

function agentsOf(cast: Setting['cast'], { agents }: Target): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const [role, principal] of Object.entries(cast))
    if (principal.agents !== '*' && principal.agents[0] !== undefined)
      named.set(principal.agents[0], `of ${role}`)
  if (agents.second) named.set(agents.second, 'second')
  return named.set(agents.plain, 'plain')
}

function likeEachOther(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return a.slice(0, 6) === b.slice(0, 6) || a.slice(-6) === b.slice(-6)
}
