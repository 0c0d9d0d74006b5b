/** What a target has when nothing is declared. */
import { emptyPolicy } from '../policy/policy.ts'
import { defaultByteBudgets } from '../wire/budget/spending.ts'
import { direct } from '../wire/route.ts'
import type { Budgets, Receiver, Target } from './target.ts'

/** What the standard profile takes, with room; under the contract's 60 requests a minute. */
export const defaultBudgets: Budgets = {
  requests: 3_000,
  turns: 600,
  credits: 2_000,
  wallSeconds: 3_600,
  requestsPerMinute: 45,
  ...defaultByteBudgets,
}

export const defaultTiming: Target['timing'] = { clock: 'real', answerTimeoutMs: 60_000, scale: 1 }

export const defaultReceiver: Receiver = {
  mode: 'none',
  listen: '127.0.0.1:0',
  publicUrl: null,
  waitSeconds: 90,
  scenariosAtOnce: 60,
  development: false,
  allowed: false,
  privateNames: [],
  resolver: null,
}

export const undeclared = {
  implementation: {},
  replicas: [],
  ...direct,
  headers: [],
  session: null,
  sessions: {},
  legacy: null,
  fixtures: { messages: {}, echo: null, recall: null, operations: [] },
  features: {
    streaming: 'unknown',
    workflow: 'unknown',
    pause: 'unknown',
    operations: 'unknown',
    webhooks: 'unknown',
    legacy: 'unknown',
  },
  states: {},
  control: null,
  receiver: defaultReceiver,
  dialect: {},
  budgets: defaultBudgets,
  optIn: [],
  readOnly: false,
  profile: 'standard',
  exclusiveCredits: false,
  timing: defaultTiming,
  policy: emptyPolicy,
} as const satisfies Partial<Target>
