import type { Budgets, Policy, Target } from './target.ts'

/** What the chat suite takes in its standard profile, with room; under the contract's 60 requests a minute. */
export const defaultBudgets: Budgets = {
  requests: 2_000,
  turns: 600,
  credits: 2_000,
  wallSeconds: 3_600,
  requestsPerMinute: 45,
}

export const defaultTiming: Target['timing'] = { clock: 'real', answerTimeoutMs: 60_000 }

export const emptyPolicy: Policy = { knownFailures: [], expectedNotExercised: [] }
