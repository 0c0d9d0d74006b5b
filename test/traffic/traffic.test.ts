/**
 * The traffic of an ordinary client, forwarded by the proxy: rules over traffic find nothing in it with a conforming
 * service, and each of these faults by itself, in every part of the service.
 */
import { afterAll, describe, test } from 'vitest'
import { faults, variants, type FaultId, type Modifications, type VariantId } from '../../simulator/index.ts'
import type { Fault, Variant } from '../../simulator/modification/modification.ts'
import type { ClientRunner } from '../../suites/clients/execution/task.ts'
import type { Finding } from '../../suites/index.ts'
import { variantGroups } from '../conformance/variant-groups.ts'
import { line } from '../simulated-run.ts'
import { findingsOfJourney, startClient } from './journey.ts'

const seen = {
  'requests and replies': ['conversation-keeps-streaming', 'replay-as-text', 'credits-as-text'],
  streams: [
    'stream-as-ndjson',
    'greeting-in-latin-1',
    'heartbeat-as-field',
    'data-without-blank',
    'done-marker',
    'tokens-trimmed',
    'action-never-completes',
    'gate-without-reason',
    'done-without-conversation',
    'error-as-message',
  ],
  idempotency: [
    'keys-ignored',
    'check-then-act',
    'headers-apart-from-body',
    'replay-unmarked',
    'replay-shortened',
    'replay-read-as-latin-1',
    'replay-charged',
    'replay-lags',
    'streamed-replay-with-two-dones',
    'json-replayed-with-two-dones',
    'replay-with-other-buttons',
  ],
  'conversations, pauses and Workflows': [
    'one-conversation-for-all',
    'conversation-left-by-stream',
    'paused-without-mark',
    'reply-marked-paused',
    'presentation-version-2',
  ],
  'credits, rates and errors': [
    'invalid-body-charged',
    'codes-in-lower-case',
    'limit-without-retry',
    'invalid-key-repeated',
    'forbidden-nested',
    'error-as-receipt',
    'unknown-agent-as-410',
  ],
  operations: [
    'schema-of-inspection-for-all',
    'receipt-status-in-capitals',
    'result-beside-status',
    'one-accepted-without-task',
    'task-state-in-progress',
    'task-end-changes',
    'usage-flat',
    'card-in-invoices',
  ],
  webhooks: [
    'webhooks-of-all-agents',
    'active-as-text',
    'created-at-as-number',
    'update-shows-secret',
    'log-shows-secret',
  ],
  deliveries: [
    'delivered-by-put',
    'delivered-as-text',
    'talkative-user-agent',
    'body-twice-encoded',
    'time-without-zone',
    'retries-unsigned',
    'signature-prefix-in-capitals',
    'signed-with-line-end',
  ],
} as const satisfies Readonly<Record<string, readonly FaultId[]>>

/** A client does one task at a time, and waits more than it works. */
const started: ClientRunner[] = []
const idle: ClientRunner[] = []
afterAll(() => Promise.all(started.map((client) => client.close())))

async function findings(modifications: Modifications): Promise<readonly Finding[]> {
  const client = idle.pop() ?? startClient()
  if (!started.includes(client)) started.push(client)
  const found = await findingsOfJourney(modifications, client)
  idle.push(client)
  return found.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
}

/** The first group leaves most exchanges without an answer. */
const groups = variantGroups().slice(1, 6)
const conforming: readonly (readonly [string, readonly VariantId[]])[] = [
  ['nothing unusual', []],
  ...groups.map((ids) => [`${ids[0]} and ${ids.length - 1} more`, ids] as const),
]

describe.concurrent('nothing is found in the traffic with a conforming service:', () => {
  test.for(conforming)('%s', async ([, ids], { expect }) => {
    const rows: readonly Variant[] = ids.map((id) => variants[id])
    const announced: readonly string[] = rows.flatMap(({ warns = [] }) => warns)
    const found = await findings({ variants: ids })
    const isAnnounced = ({ verdict, subject }: Finding): boolean =>
      verdict === 'warn' && announced.includes(subject)
    expect(found.filter((one) => !isAnnounced(one)).map(line)).toEqual([])
  })
})

describe.concurrent.for(Object.entries(seen))('traffic shows a fault of %s:', ([, ids]) => {
  test.for(ids)('%s', async (id, { expect }) => {
    const { breaks }: Fault = faults[id]
    const found = await findings({ faults: [id] })
    const isOwn = ({ subject }: Finding): boolean => breaks.some((clause) => clause === subject)
    expect(found.some(isOwn), found.map(line).join('\n') || 'nothing was found').toBe(true)
  })
})
