/** Where a scenario is set: the agents and keys it speaks with. States change it while they hold. */
import type { WebhookEvent } from '../../spec/index.ts'
import type { Header } from '../wire/exchange.ts'
import type { Echo, OperationFixture, Principal, Recall, WebhookCreation } from '../config/target.ts'

export interface Setting {
  agent: string
  /** Empty where the target has none. */
  secondAgent: string
  message: string
  /** What makes a reply repeat a text, where the target declares it. */
  echo?: Echo
  /** How an agent is asked to remember a text and to repeat it. */
  recall?: Recall
  /** Further base addresses of the same deployment. */
  replicas?: readonly string[]
  /** Headers of the signed-in user, where the scenario needs one. */
  session?: readonly Header[]
  /** What a creation of webhooks needs beside what the contract shows. */
  webhookCreation?: WebhookCreation
  event?: WebhookEvent
  operation?: OperationFixture
  /** Principals by the role the scenario gives them; `self` is always there. */
  cast: Readonly<Record<string, Principal>>
}

export const castOf = (self: Principal | null | undefined): Setting['cast'] => (self ? { self } : {})

/** What a state puts in place of the ordinary setting. `principal` takes the role `self`. */
export interface SettingChange {
  agent?: string
  message?: string
  principal?: Principal
  /** Headers of another signed-in user. */
  session?: readonly Header[]
}

export function mayCall({ agents }: Principal, agent: string): boolean {
  return agents === '*' || agents.includes(agent)
}

/** The agent where the key may call it, else the first that it may call. */
export function agentFor(principal: Principal, agent: string): string {
  return mayCall(principal, agent) ? agent : (principal.agents[0] ?? agent)
}

/** A principal that replaces `self` without an agent of its own gets one that it may call. */
export function changed(setting: Setting, change: SettingChange): Setting {
  const { message, principal: named, session } = change
  const agent = change.agent ?? (named ? agentFor(named, setting.agent) : setting.agent)
  // Who is there already keeps the key that the scenario began with.
  const principal = Object.values(setting.cast).find(({ name }) => name === named?.name) ?? named
  return {
    ...setting,
    agent,
    message: message ?? setting.message,
    ...(session ? { session } : {}),
    cast: principal ? { ...setting.cast, self: principal } : setting.cast,
  }
}
