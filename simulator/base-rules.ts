/** What the rules say where the contract leaves nothing open; only a fault changes these. */
import { deliveryHeadersOf } from './webhooks/delivery/envelope.ts'
import { bodyRules } from './chat/body.ts'
import { permissions } from './chat/access.ts'
import { olderBase } from './older/rules.ts'
import { operationBase } from './operations/rules/base.ts'
import { interpretationRules } from './interpretations.ts'
import type { Rules } from './rules.ts'
import { isReservedHeaderOf } from './webhooks/management/custom-headers.ts'
import { webhookBase } from './webhooks/interpretations.ts'
import { shownCredits } from './tenant/credits.ts'
import { contractIdentifiers, type Identifiers } from '../spec/identifiers.ts'
import type { Interpretations } from '../spec/index.ts'

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
  book: (state) => state.keys,
  workMs: 0,
  claimGapMs: 0,
  leaseMs: Infinity,
  finishLagMs: 0,
  replayDebit: () => 0,
  debit: (cost) => cost,
  balanceAfter: ({ now, debit }) => now - debit,
  remaining: (balance) => balance,
  covers: (available, cost) => available >= cost,
  showCredits: shownCredits,
  buttonState: (known) => known,
  turnOf: (asked) => asked,
  customerMessage: (mark, id) => ({ id, ai_reply: mark }),
  threadKeeps: () => true,
} satisfies Partial<Rules>

/** What follows from the names that the service gives its headers. */
const named = (identifiers: Identifiers): Partial<Rules> => ({
  replayHeaders: [[identifiers.replayHeader, 'true']],
  deliveryHeaders: deliveryHeadersOf(identifiers),
  isReservedHeader: isReservedHeaderOf(identifiers),
})

export function rulesOf(interpretations: Interpretations, identifiers = contractIdentifiers): Rules {
  const bases = [base, named(identifiers), webhookBase, operationBase, olderBase]
  return Object.assign({}, ...bases, ...interpretationRules(interpretations)) as Rules
}
