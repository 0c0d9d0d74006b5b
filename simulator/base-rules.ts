/** What the rules say where the contract leaves nothing open; only a fault changes these. */
import { bodyRules } from './chat/body.ts'
import { permissions } from './chat/permission.ts'
import { olderBase } from './older/readings.ts'
import { operationBase } from './operations/base.ts'
import { readingRules } from './readings.ts'
import type { Rules } from './rules.ts'
import { webhookBase } from './webhooks/readings.ts'
import { shown } from './world/credits.ts'
import type { Readings } from '../spec/index.ts'

const base = {
  bodyRules,
  permissions,
  normalizeKey: (key) => key,
  bearer: (authorization) => /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null,
  shownKey: (token) => token,
  isValid: (apiKey) => !apiKey.revoked,
  rateSubject: (apiKey) => apiKey.token,
  rateBody: (state) => ({
    retry_after_seconds: Math.ceil(state.retryAfterMs / 1000),
    limit: state.limit,
    remaining: state.remaining,
  }),
  book: (world) => world.keys,
  workMs: 0,
  claimGapMs: 0,
  leaseMs: Infinity,
  finishLagMs: 0,
  replayHeaders: [['X-Service-Idempotent-Replay', 'true']],
  replayDebit: () => 0,
  debit: (cost) => cost,
  balanceAfter: ({ now, debit }) => now - debit,
  remaining: (balance) => balance,
  covers: (available, cost) => available >= cost,
  showCredits: shown,
  buttonState: (known) => known,
  customerMessage: (mark, id) => ({ id, ai_reply: mark }),
} satisfies Partial<Rules>

/** The rules under a choice of readings. */
export function rulesOf(readings: Readings): Rules {
  return Object.assign({}, base, webhookBase, operationBase, olderBase, ...readingRules(readings)) as Rules
}
