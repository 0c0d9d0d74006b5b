/** A target file as it is written, before references and secrets are looked up. */
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { Json } from '../../wire/json.ts'
import type { OptIn, Profile } from '../target.ts'
import type { Revision, Scope } from '../../../spec/index.ts'
import type { WrittenPolicy } from '../../policy/policy.ts'
import type { Dialect } from '../dialect.ts'
import type { Features } from '../features.ts'
import type { HttpHook, Provide } from '../provided.ts'
import type { WrittenTls } from '../sections/tls.ts'
import type { Budgets, Implementation, OperationFixture, Receiver, Target } from '../target.ts'

export interface TargetFile {
  target: {
    name: string
    kind: Target['kind']
    baseUrl: string
    vendor?: string
    identifiers?: Partial<Identifiers>
    implementation?: Implementation
    replicas?: readonly string[]
    tls?: WrittenTls
    proxy?: string
    headers?: WrittenHeaders
  }
  principals: Readonly<Record<string, WrittenPrincipal>>
  session?: { headers: WrittenHeaders }
  sessions?: Readonly<Record<string, { headers: WrittenHeaders; ended?: boolean }>>
  webhooks?: { create?: { headers?: WrittenHeaders; members?: Readonly<Record<string, Json>> } }
  agents: Readonly<Record<string, string>> & { plain: string }
  legacy?: { keys: Readonly<Record<string, string>> }
  fixtures?: {
    messages?: { plain?: string }
    echo?: { agent?: string; message?: string }
    recall?: { agent?: string; tell?: string; ask?: string }
    operations?: Readonly<Record<string, Omit<OperationFixture, 'name'>>>
  }
  features?: Partial<Features>
  states: Readonly<Record<string, WrittenProvision | readonly WrittenProvision[]>>
  control?: { url: string; token?: string }
  receiver?: Partial<Omit<Receiver, 'resolver'>> & { resolver?: WrittenResolver }
  dialect?: Dialect
  budgets?: Partial<Budgets>
  optIn?: readonly OptIn[]
  readOnly?: boolean
  profile?: Profile
  exclusiveCredits?: boolean
  timing?: Partial<Target['timing']>
  contract?: Revision
  policy?: string | WrittenPolicy
}

export interface WrittenResolver {
  listen: string
  zone: string
  first?: string
  later?: string
  rebinding?: boolean
  certFile?: string
  keyFile?: string
}

type WrittenHeaders = Readonly<Record<string, string>>

export interface WrittenPrincipal {
  bearer: string
  pool?: readonly string[]
  scopes: readonly Scope[]
  agents?: '*' | readonly string[]
  account?: string
  sacrificial?: boolean
  revoked?: boolean
}

export interface WrittenProvision {
  provide: Provide
  agent?: string
  message?: string
  principal?: string
  session?: string
  enter?: WrittenHook
  leave?: WrittenHook
  environment?: readonly string[]
  timeoutSeconds?: number
  instruction?: string
  undo?: string
  by?: string
  on?: string
  note?: string
  why?: string
}

export type WrittenHook = WrittenRequest | readonly string[]

export interface WrittenRequest {
  method: HttpHook['method']
  url: string
  headers?: WrittenHeaders
  json?: unknown
  expect?: readonly number[]
}
