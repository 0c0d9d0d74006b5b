/**
 * A run that never was, with everything that a page can show: the same to the byte whenever it is made. Of a receiver,
 * so that a clause more of a server changes nothing in it.
 */
import { compare } from '../../reports/diff/compare.ts'
import { renderDiff } from '../../reports/diff/document.ts'
import type { Beside } from '../../reports/formats/exporter.ts'
import { htmlPage } from '../../reports/run/page.ts'
import { everyVerdict, exchange, finding, runOf } from '../../reports/testing/run.testkit.ts'
import type { Exchange, Finding, Run } from '../../bundle/record.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const waived = {
  as: 'known-failure',
  owner: 'Chat team',
  reason: 'the cut is made in the gateway',
  issue: 'https://tracker.example/CHAT-12',
  expires: '2026-12-01',
} as const

const streamed = finding({
  verdict: 'fail',
  subject: 'SSE-NOTHING-AFTER',
  area: 'streaming',
  scenario: 'events',
  title: 'a stream ends with done',
  expected: 'nothing after done',
  got: 'a token after done',
  evidence: [3],
})

const findings: readonly Finding[] = [
  ...everyVerdict().map((one) => ({ ...one, evidence: one.evidence.length > 0 ? [2, 1] : [] })),
  streamed,
  finding({
    verdict: 'fail',
    subject: 'REQ-MESSAGE-OVER',
    area: 'chat-request',
    scenario: 'over',
    expected: 'status 400',
    got: 'status 200',
    evidence: [2],
    waived,
  }),
  finding({
    subject: 'ATT-SECOND-STATUS',
    area: 'attempts',
    scenario: 'again',
    evidence: [4, 5],
    states: [{ state: 'stream.tool', by: 'control' }],
  }),
  finding({
    verdict: 'fail',
    subject: 'OLD-SEND',
    area: 'older-variant',
    scenario: 'older',
    provisional: true,
    expected: 'a',
    got: 'b',
  }),
]

const token = (text: string): string => `data: {"type":"token","token":"${text}"}\n\n`
const stream: Exchange = {
  ...exchange(3, { sent: '{"message":"Hello","stream":true}' }),
  sentAt: 1_000,
  endedAt: 1_900,
  response: {
    status: 200,
    headers: [['content-type', 'text/event-stream']],
    at: 1_100,
    chunks: [
      { at: 1_200, bytes: bytes(token('One')) },
      { at: 1_300, bytes: bytes(token(' two')) },
      { at: 1_700, bytes: bytes('data: {"type":"done","response":"One two"}\n\n') },
      { at: 1_800, bytes: bytes(token(' three')) },
    ],
    complete: true,
  },
}

function delivery(id: number, sentAt: number, status: number): Exchange {
  const place = '/run/a/1'
  const request = {
    method: 'POST',
    path: place,
    headers: [
      ['content-type', 'application/json'],
      ['x-service-event', 'leads.submit'],
      ['x-service-delivery-id', 'whd_1'],
    ],
    body: bytes('{"event_type":"leads.submit"}'),
    principal: null,
  } as const
  const response = { status, headers: [], at: sentAt + 3, chunks: [], complete: true }
  return {
    ...exchange(id),
    request,
    response,
    sentAt,
    endedAt: sentAt + 4,
    inbound: { place, targetAt: sentAt },
  }
}

const journal = [exchange(1), exchange(2), stream, delivery(4, 2_000, 500), delivery(5, 4_100, 200)]

const target = {
  name: 'chat-staging',
  kind: 'receiver',
  baseUrl: 'https://hooks.staging.example',
  organization: 'Acme',
  project: 'chat-api',
  version: '4.12.3',
  fileDigest: '12'.repeat(32),
} as const

const before = findings.map((one) => (one === streamed ? { ...one, verdict: 'pass' as const } : one))
const earlier = runOf(before, { target: { ...target, version: '4.12.2' } }, journal)
const failed = 'idempotency/replay-fail/IDEM-REPLAY-HEADER, idempotency/events/SSE-NOTHING-AFTER'

const sample: Run = runOf(
  findings,
  {
    target,
    run: { ...earlier.record.run, lifecycle: 'interrupted' },
    gate: {
      passed: false,
      because: [`3 MUST clauses failed: ${failed}`],
      stalePolicy: ['knownFailures[1]: nothing fails like it any more'],
    },
    journal: { lines: 9, head: '34'.repeat(32) },
    redaction: { counts: { 'key:main': 3, 'header:Cookie': 1 }, disclosed: false },
    signing: { keyid: '56'.repeat(32) },
  },
  journal,
)

const beside: Beside = {
  files: new Set(['counterexamples/idempotency-events-SSE-NOTHING-AFTER/repro.sh']),
  changes: compare(earlier, sample),
}

export const samplePage = (): string => String(htmlPage.render(sample, beside))

/** What changed in it, on a page of its own. */
export const sampleChanges = (): string =>
  renderDiff(compare(earlier, sample), 'html', { colour: false, width: 100 })
