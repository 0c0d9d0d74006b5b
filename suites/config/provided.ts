/** How a target reaches a state: one entry for each state provider. */
import type { Header } from '../wire/exchange.ts'

/** A request of the operator's own. `{{name}}` in address, headers and JSON is replaced by a value of the scenario. */
export interface HttpHook {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: readonly Header[]
  json?: unknown
  expect: readonly number[]
}

/** What is in the state, or what a way to it is for: an agent by its id, a message, a principal or signed-in user by name. */
export interface InState {
  agent?: string
  message?: string
  principal?: string
  session?: string
}

interface Ways {
  wire: object
  /** A standing object is in the state. */
  fixture: object
  control: object
  /** A request of the operator. `secrets`: values in it that must not be read in any report. */
  http: { enter: HttpHook; leave?: HttpHook; timeoutSeconds: number; secrets: readonly string[] }
  /** A program of the operator, run without a shell in `folder`, with this environment and no other. */
  exec: {
    enter: readonly string[]
    leave?: readonly string[]
    timeoutSeconds: number
    environment: Readonly<Record<string, string>>
    folder: string
    secrets: readonly string[]
  }
  manual: { instruction: string; undo?: string; timeoutSeconds: number }
  /** Somebody says that it was looked at elsewhere. Never a pass. `on`: ISO date. */
  attest: { by: string; on: string; note: string }
  /** It cannot be had here; `why` goes into the report. */
  none: { why: string }
}

export type Provide = keyof Ways

export type Provision<P extends Provide = Provide> = { [K in P]: { provide: K } & InState & Ways[K] }[P]

/** Ways that change the target; a production target is left as it is, but for what a person does to it. */
export const forcing: readonly Provide[] = ['control', 'http', 'exec']

export function hookSecrets(
  states: Readonly<Record<string, Provision | undefined>>,
): readonly { name: string; value: string }[] {
  return Object.entries(states).flatMap(([state, provision]) =>
    provision && 'secrets' in provision
      ? provision.secrets.map((value) => ({ name: `hook:${state}`, value }))
      : [],
  )
}
