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
  /** The webhook event of the scenario. */
  event?: WebhookEvent
  /** The operation of the scenario. */
  operation?: OperationFixture
  /** Principals by the role the scenario gives them; `self` is always there. */
  cast: Readonly<Record<string, Principal>>
}

/** What a state puts in place of the ordinary setting. `principal` takes the role `self`. */
export interface SettingChange {
  agent?: string
  message?: string
  principal?: Principal
  /** Headers of another signed-in user. */
  session?: readonly Header[]
}

export function changed(setting: Setting, change: SettingChange): Setting {
  const { agent, message, principal: named, session } = change
  // Who is there already keeps the key that the scenario began with.
  const principal = Object.values(setting.cast).find(({ name }) => name === named?.name) ?? named
  return {
    ...setting,
    agent: agent ?? setting.agent,
    message: message ?? setting.message,
    ...(session ? { session } : {}),
    cast: principal ? { ...setting.cast, self: principal } : setting.cast,
  }
}
