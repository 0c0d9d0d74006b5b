/**
 * What the rules say under each interpretation of each gap of chat. The first interpretation of a gap is the default; the
 * table is typed by the gaps, so that a new gap or interpretation does not compile until it is here.
 */
import { lineNamed } from './edge/reply.ts'
import type { chatGaps } from '../spec/gaps/chat.ts'
import { limits, type GapId, type Interpretations } from '../spec/index.ts'
import { choices } from './chat/body.ts'
import type { TurnRequest } from './tenant/keys.ts'
import { canonicalJson, type JsonObject } from './json.ts'
import { olderInterpretations } from './rules/older.ts'
import type { Rules } from './rules/tenant-state.ts'
import { webhookInterpretations } from './webhooks/interpretations.ts'
import { toCredits, shownCredits, type Account } from './tenant/conversations.ts'
import type { RateKind, RateRule, RateState } from './tenant/rate.ts'
import { fixedLimits } from './limits.ts'
import { accountFixtures } from './tenant/fixtures.ts'
import {
  displayName,
  invoicesOf,
  subscriptionStatusOf,
  subscriptionOf,
} from './operations/catalogue/catalogue.ts'
import { members, type OperationContext, type RunReceipt } from './tenant/operations/operation.ts'
import type {
  DiscoveryRow,
  OperationInterpretations,
  OperationRules,
  OperationTenant,
} from './rules/operations.ts'
import { receiptInterpretations } from './operations/receipt-interpretations.ts'
import { uploadIds } from './operations/uploads/rows.ts'
import { uploadInterpretations } from './operations/uploads/uploads.ts'
import type { Approval } from './tenant/operations/store.ts'
import { approvalState, receiptOfApproval } from './operations/approvals.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Once the owner approved, the approval itself is done, also where the work waits for the request to come again. */
function decided(state: OperationTenant, approval: Approval): RunReceipt {
  const receipt = receiptOfApproval(state, approval)
  return receipt.status === 'pending_approval' && approvalState(state, approval) === 'approved'
    ? {
        status: 'completed',
        data: { decision: 'approved', next: 'Send the same request again with the same key.' },
      }
    : receipt
}

const approvalInterpretations = {
  'GAP-APPROVAL-FIELDS': {
    state: {
      approvalBody: (approval, tenantState) => {
        const state = approvalState(tenantState, approval)
        const { rules } = tenantState
        return {
          id: approval.id,
          state,
          ...(state !== 'pending' && { receipt: rules.receiptBody(decided(tenantState, approval)) }),
        }
      },
    },
    receipt: {
      approvalBody: (approval, state) => ({
        ...state.rules.receiptBody(decided(state, approval)),
        approval_id: approval.id,
      }),
    },
  },
  'GAP-APPROVAL-STATES': { three: { approvalLifeMs: Infinity }, lapsing: { approvalLifeMs: dayMs } },
  'GAP-APPROVAL-CONTINUES': { itself: { approvedRunsItself: true }, again: { approvedRunsItself: false } },
} satisfies Partial<OperationInterpretations>

function facts({ operation, route }: DiscoveryRow): JsonObject {
  const { title, description, kind, destructive, approval } = operation
  return { title, description, kind, destructive, approval, ...(route !== null && { route }) }
}

const isHeld: OperationRules['isHeld'] = ({ approval }) => approval

const limited = (limit: JsonObject): JsonObject =>
  members({ limit: { type: 'integer', minimum: 1, ...limit } }, [])

/** What the balance was at the beginning, less what is left. */
function creditsUsed({ name, balance }: Account): number {
  const began = Object.hasOwn(accountFixtures, name)
    ? accountFixtures[name as keyof typeof accountFixtures].credits
    : 0
  return shownCredits(Math.max(0, toCredits(began) - balance))
}

function period({ clock }: OperationContext): JsonObject {
  const now = new Date(clock.date())
  const month = (more: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more, 1)).toISOString()
  return { from: month(0), to: month(1) }
}

const invoices: OperationRules['invoices'] = (account, limit, state) =>
  invoicesOf(account, state).slice(0, limit ?? Infinity)

const operationInterpretations: OperationInterpretations = {
  ...receiptInterpretations,
  ...approvalInterpretations,
  ...uploadInterpretations,
  'GAP-DISCOVERY-SHAPE': {
    operations: {
      discovery: (rows) => ({
        operations: rows.map((row) => ({ id: row.operation.id, ...facts(row), inputSchema: row.schema })),
      }),
    },
    bare: {
      discovery: (rows) =>
        rows.map((row) => ({ operation_id: row.operation.id, ...facts(row), input_schema: row.schema })),
    },
  },
  'GAP-EXECUTION-BODY': {
    input: { executionInput: ({ input }) => input },
    bare: { executionInput: (body) => body },
  },
  'GAP-OPERATION-KEY': { header: { keyPlace: 'header' }, body: { keyPlace: 'body' } },
  'GAP-OPERATION-KEY-REQUIRED': { required: { keyIsRequired: true }, optional: { keyIsRequired: false } },
  'GAP-OPERATION-CONFLICT': { refuse: { usedKey: 'refuse' }, replay: { usedKey: 'replay' } },
  'GAP-BILLING-ROUTES': { routes: { billingIsRouted: true }, operations: { billingIsRouted: false } },
  'GAP-AGENT-LISTING': { operation: { agentsAreRouted: false }, route: { agentsAreRouted: true } },
  'GAP-USAGE-SHAPE': {
    named: {
      usage: (account, { rules }) => ({ credits: { remaining: rules.creditsLeft(account) } }),
      subscription: subscriptionOf,
    },
    more: {
      usage: (account, state) => ({
        period: period(state),
        credits: { remaining: state.rules.creditsLeft(account), used: creditsUsed(account) },
      }),
      subscription: (account) => ({ id: `sub_${account.id.slice(-8)}`, ...subscriptionOf(account) }),
    },
    wrapped: {
      usage: (account, { rules }) => ({ data: { credits: { remaining: rules.creditsLeft(account) } } }),
      subscription: (account) => ({
        data: { status: subscriptionStatusOf(account), plan: { display_name: displayName(account.plan) } },
      }),
    },
  },
  'GAP-INVOICE-LIMIT': {
    hundred: { invoiceInput: limited({ maximum: 100 }), invoices },
    clamp: {
      invoiceInput: limited({}),
      invoices: (account, limit, state) =>
        invoices(account, limit === null ? null : Math.min(limit, 100), state),
    },
  },
  'GAP-DOCUMENT-APPROVAL': {
    required: { isHeld },
    none: { isHeld: (operation) => isHeld(operation) && operation.id !== uploadIds.document },
  },
  'GAP-OTHER-RATES': { none: { otherRates: 'none' }, same: { otherRates: 'same' } },
}

type ChatGapId = keyof typeof chatGaps
type Table = { readonly [G in ChatGapId]: { readonly [R in Interpretations[G]]: Partial<Rules> } }

const seconds = (ms: number): number => Math.ceil(ms / 1000)
const perMinute = (kind: RateKind): RateRule => {
  return { kind, limit: limits.chatRequestsPerMinute, windowMs: 60_000 }
}

const isBetween = (unit: number, first: number, last: number): boolean => unit >= first && unit <= last

function codePoints(text: string): number {
  let count = text.length
  // Three times as fast as the iterator of a string, which a message of a megabyte is worth.
  for (let at = 1; at < text.length; at++)
    if (isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff))
      count--
  return count
}

/** Headers named with a prefix; `Reset` in seconds from now, or as a Unix timestamp. */
function rateHeaders(prefix: string, reset: (state: RateState) => number): Rules['rateHeaders'] {
  const [limit, remaining] = [lineNamed(`${prefix}-Limit`), lineNamed(`${prefix}-Remaining`)]
  const resets = lineNamed(`${prefix}-Reset`)
  return (state) => [limit(`${state.limit}`), remaining(`${state.remaining}`), resets(`${reset(state)}`)]
}
const resetTimestamp = (state: RateState): number => seconds(state.resetAt)

/** The body as it came, without the key: the same request may carry its key in another place. */
const keyMember =
  /"idempotency_key"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*|,?\s*"idempotency_key"\s*:\s*"(?:[^"\\]|\\.)*"/
const everything = ({ agent, request }: TurnRequest): string =>
  canonicalJson([agent.id, request.message, request.conversationId, request.stream, request.interaction])

const errorWith = (layout: (code: string, words: string) => JsonObject): Pick<Rules, 'errorLayout'> => ({
  errorLayout: (code, words) => (code === null ? { error: words } : layout(code, words)),
})

const interpretationTable: Table = {
  'GAP-ERROR-CODE-MEMBER': {
    error: errorWith((code, words) => ({ error: code, message: words })),
    code: errorWith((code, words) => ({ error: words, code })),
    sentence: errorWith((code, words) => ({ error: `${code}: ${words}` })),
    'error-code': errorWith((code, words) => ({ error: words, error_code: code })),
  },
  'GAP-CHARACTER-UNIT': { 'code-points': { measure: codePoints }, utf16: { measure: (text) => text.length } },
  // The agent always counts: the reply of one agent is no answer to a message for another.
  'GAP-IDENTICAL': {
    replay: { fingerprint: ({ agent, request }) => `${agent.id} ${request.message}` },
    conflict: { fingerprint: everything },
  },
  'GAP-SPELLING': {
    replay: { exactText: () => '' },
    conflict: { exactText: ({ request }) => request.text.replace(keyMember, '') },
  },
  'GAP-KEY-SCOPE': {
    account: { keyNamespace: ({ apiKey }) => apiKey.account },
    'api-key': { keyNamespace: ({ apiKey }) => apiKey.token },
    agent: { keyNamespace: ({ apiKey, agent }) => `${apiKey.account}/${agent.id}` },
  },
  'GAP-IN-FLIGHT-OTHER': {
    'in-progress': { inFlightOther: 'REQUEST_IN_PROGRESS' },
    conflict: { inFlightOther: 'IDEMPOTENCY_CONFLICT' },
  },
  'GAP-REFUSED-KEY': { released: { refusedKey: 'released' }, kept: { refusedKey: 'kept' } },
  'GAP-CHECK-ORDER': { 'agent-first': { order: 'agent-first' }, 'body-first': { order: 'body-first' } },
  'GAP-PAUSED-OR-STALE': { paused: { pausedBeforeStale: true }, stale: { pausedBeforeStale: false } },
  'GAP-RATE-COUNTED': { all: { rateCounts: 'all' }, turns: { rateCounts: 'turns' } },
  'GAP-RATE-WINDOW': {
    sliding: { rate: perMinute('sliding') },
    fixed: { rate: perMinute('fixed') },
    bucket: { rate: perMinute('bucket') },
  },
  'GAP-RATE-HEADERS': {
    'x-ratelimit': { rateHeaders: rateHeaders('X-RateLimit', resetTimestamp) },
    ratelimit: { rateHeaders: rateHeaders('RateLimit', (state) => seconds(state.resetAt - state.now)) },
    'x-rate-limit': { rateHeaders: rateHeaders('X-Rate-Limit', resetTimestamp) },
  },
  'GAP-REPLAY-MODE': {
    requested: { replayAsStream: (asked) => asked },
    original: { replayAsStream: (_asked, original) => original },
  },
  'GAP-REPLAY-TOKENS': {
    'done-only': { remembersEvents: false, replayEvents: (_record, done) => [done] },
    'with-tokens': { remembersEvents: true, replayEvents: (_record, done, original) => [...original, done] },
  },
  'GAP-REPLAY-CREDITS': {
    original: { replayReply: (original) => original },
    free: { replayReply: (original, left) => ({ ...original, used: 0, remaining: left }) },
  },
  'GAP-PAUSED-COST': { free: { pausedCost: 'free' }, charged: { pausedCost: 'charged' } },
  'GAP-CREDIT-COST': {
    one: { cost: ({ given }) => given ?? toCredits(1) },
    // A tenth of a credit, and a thousandth more for every character of the reply.
    fraction: { cost: ({ given, response }) => given ?? toCredits(0.1) + codePoints(response) },
  },
  'GAP-CREDIT-AMOUNTS': {
    both: {
      shortage: (required, remaining) => ({
        credits_required: shownCredits(required),
        credits_remaining: shownCredits(remaining),
      }),
    },
    none: { shortage: () => ({}) },
  },
  'GAP-UNKNOWN-CONVERSATION': {
    refuse: { unknownConversation: 'refuse' },
    start: { unknownConversation: 'start' },
  },
  'GAP-STREAM-TYPE': {
    refuse: { streamFlag: (value) => (typeof value === 'boolean' ? value : null) },
    coerce: { streamFlag: (value) => value === true || value === 'true' || value === 1 },
  },
  'GAP-UNKNOWN-MEMBER': {
    ignore: { refusesUnknownMembers: false },
    refuse: { refusesUnknownMembers: true },
  },
  'GAP-CONTENT-TYPE': {
    ignore: { acceptsContentType: () => true },
    refuse: { acceptsContentType: (value) => /^application\/json\s*(;|$)/i.test(value ?? '') },
  },
  'GAP-TWO-KEYS': {
    refuse: { chooseKey: choices.refuse },
    body: { chooseKey: choices.body },
    header: { chooseKey: choices.header },
  },
  'GAP-PRESENTATION-SHAPE': {
    grouped: {
      presentation: (content) => ({
        version: limits.presentationVersion,
        messages: content.messages.map((text) => ({ text })),
        buttons: content.buttons.map(({ label, interaction }) => ({ label, ...interaction })),
        images: content.images.map((url) => ({ url })),
        media: content.media.map((url) => ({ url })),
      }),
    },
    items: {
      presentation: (content) => ({
        version: limits.presentationVersion,
        items: [
          ...content.messages.map((text) => ({ kind: 'message', text })),
          ...content.images.map((url) => ({ kind: 'image', url })),
          ...content.media.map((url) => ({ kind: 'media', url })),
          ...content.buttons.map(({ label, interaction }) => ({ kind: 'button', label, interaction })),
        ],
      }),
    },
  },
  'GAP-INTERACTION-TYPES': {
    texts: {
      interactionMembers: ({ run, presentation, choice }) => ({
        runId: run,
        nodeId: `step-${presentation}`,
        payload: `choice-${choice}`,
      }),
    },
    mixed: {
      interactionMembers: ({ presentation, choice }) => ({
        runId: presentation,
        nodeId: `step-${presentation}`,
        payload: { choice },
      }),
    },
  },
  'GAP-FORGED': { stale: { forged: 'stale' }, invalid: { forged: 'invalid' } },
  'GAP-CUSTOMER-MESSAGE': {
    text: { pausedMark: 'paused' },
    object: { pausedMark: { status: 'paused' } },
    flag: { pausedMark: { paused: true } },
  },
  'GAP-FAILED-STREAM': { released: { failedKey: 'released' }, uncertain: { failedKey: 'uncertain' } },
  'GAP-CLIENT-GONE': { finishes: { clientGone: 'finishes' }, uncertain: { clientGone: 'uncertain' } },
  'GAP-FOREIGN-AGENT': {
    'not-found': { foreignAgent: 'AGENT_NOT_FOUND' },
    forbidden: { foreignAgent: 'AGENT_FORBIDDEN' },
  },
  'GAP-BODY-SIZE': { 'one-mebibyte': { bodyLimitBytes: fixedLimits.bodyBytes } },
  'GAP-KEY-LIFE': { run: { keyLifeMs: Infinity } },
  'GAP-VALIDATION-WORDS': { sentence: {} },
  'GAP-REFUSAL-CODES': { words: { showsOwnCodes: true }, none: { showsOwnCodes: false } },
}

export function interpretationRules(interpretations: Interpretations): readonly Partial<Rules>[] {
  const table: Readonly<Partial<Record<GapId, Readonly<Record<string, Partial<Rules>>>>>> = {
    ...interpretationTable,
    ...webhookInterpretations,
    ...operationInterpretations,
    ...olderInterpretations,
  }
  return (Object.keys(table) as (keyof typeof table)[]).map((gap) => table[gap]?.[interpretations[gap]] ?? {})
}
