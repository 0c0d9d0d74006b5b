/** The suite on a bare mock of our document, which has the shapes of the contract and nothing else. */
import { fileURLToPath } from 'node:url'
import type { ClauseId, GapId } from '../../spec/index.ts'
import { loadTarget, type Finding, type Run } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { hurriedClock } from '../hurried-clock.ts'
import { line } from '../simulated-run.ts'
import { startMock } from './prism.ts'

const targetFile = fileURLToPath(new URL('touchstone.yaml', import.meta.url))

export interface MockRun {
  run: Run
  /** What was said of it and should not have been, or the other way round. */
  complaints: readonly string[]
}

export async function judgeMock(): Promise<MockRun> {
  const mock = await startMock()
  try {
    const target = loadTarget(targetFile, {
      MOCK_URL: mock.url,
      MOCK_KEY: 'sk-one',
      MOCK_KEY_TWO: 'sk-two',
      MOCK_SESSION: 'session=any',
    })
    // Nothing that is waited for ever comes.
    const run = await runSuite(target, { seed: 1, clock: hurriedClock(5) })
    return { run, complaints: complaintsOf(run) }
  } finally {
    await mock.stop()
  }
}

type Verdict = 'pass' | 'fail'

function complaintsOf({ record }: Run): readonly string[] {
  const errors = record.findings.filter(({ verdict }) => verdict === 'error')
  return [
    ...(record.conformance === 'nonconformant' ? [] : [`the mock was found ${record.conformance}`]),
    ...errors.map((finding) => `an error of ours: ${line(finding)}`),
    ...held('fail', found, record.findings),
    ...held('pass', kept, record.findings),
  ]
}

/** Every clause of the rows came out so at least once, and no other clause did. */
function held(verdict: Verdict, rows: typeof found, findings: readonly Finding[]): readonly string[] {
  const wanted = new Set<ClauseId | GapId>(rows.flatMap(({ clauses }) => clauses))
  const seen = findings.filter((finding) => finding.verdict === verdict)
  const subjects = new Set(seen.map(({ subject }) => subject))
  return [
    ...rows.flatMap(({ why, clauses }) =>
      clauses.filter((clause) => !subjects.has(clause)).map((clause) => `no ${verdict} of ${clause}: ${why}`),
    ),
    ...seen
      .filter(({ subject }) => !wanted.has(subject))
      .map((finding) => `nobody expected ${line(finding)}`),
  ]
}

interface Row {
  why: string
  clauses: readonly ClauseId[]
}

/** Broken, and found to be. */
export const found: readonly Row[] = [
  {
    why: 'the replay header of the document is optional, and a mock sends it with every reply',
    clauses: ['IDEM-FRESH-UNMARKED', 'IDEM-KEY-MAX'],
  },
  {
    why: 'no turn ever runs, so of requests with one key none is the one that ran',
    clauses: [
      'IDEM-RACE-ONE-RUN',
      'IDEM-RACE-CARRIERS',
      'IDEM-RACE-STREAM',
      'IDEM-RACE-CHARGE',
      'IDEM-POLL-ONE-RUN',
    ],
  },
  {
    why: 'no key is remembered, so no other message conflicts with it',
    clauses: ['IDEM-CONFLICT-STATUS', 'IDEM-CONFLICT-CODE', 'IDEM-CONFLICT-LENGTH', 'IDEM-CONFLICT-STREAM'],
  },
  {
    why: 'that a key may stand in one of three places is beyond a schema',
    clauses: ['IDEM-KEY-REQUIRED', 'IDEM-KEY-REQUIRED-CODE', 'IDEM-KEY-EMPTY-HEADER'],
  },
  { why: 'nothing is charged', clauses: ['CRED-BALANCE'] },
  {
    why: 'a mock chooses between JSON and a stream by `Accept`, and never reads `stream`',
    clauses: ['SSE-CONTENT-TYPE'],
  },
  {
    why: 'any key will do, for anything',
    clauses: ['AUTH-UNKNOWN', 'AUTH-AGENT-UNKNOWN', 'SCOPE-UNKNOWN-KEY', 'BILL-USAGE-SCOPE'],
  },
  { why: 'a session that has ended is as good as any', clauses: ['HOOK-KEY-CREATE'] },
  {
    why: 'the catalog of operations and their input schemas are data to it',
    clauses: ['EXEC-UNKNOWN'],
  },
  {
    why: 'no webhook is kept: the list shows the example, whatever was created, changed or deleted',
    clauses: [
      'HOOK-LIST-AS-SENT',
      'HOOK-CREATE-EVENTS',
      'HOOK-UPDATE-NAME',
      'HOOK-UPDATE-ENDPOINT',
      'HOOK-DELETE',
      'HOOK-NO-SESSION',
      'HOOK-KEY-EDIT',
      'SIGN-SECRET-OWN',
    ],
  },
  {
    why: 'the document only says that an endpoint is text: what it may be is judged by the service',
    clauses: ['TGT-HTTP', 'TGT-NOT-URL'],
  },
]

/** Kept, as far as one answer by itself can show it. */
export const kept: readonly Row[] = [
  {
    why: 'what is refused is refused with the error of the document',
    clauses: ['ERR-FLAT', 'ERR-JSON', 'ERR-NOT-RECEIPT'],
  },
  {
    why: 'the document has the shape of a request, so whatever is out of shape is refused',
    clauses: [
      'REQ-BODY-EMPTY',
      'REQ-JSON-OBJECT',
      'REQ-MESSAGE-REQUIRED',
      'REQ-MESSAGE-STRING',
      'REQ-MESSAGE-EMPTY',
      'REQ-MESSAGE-OVER',
      'REQ-CONVERSATION-STRING',
      'REQ-CONVERSATION-UUID',
      'REQ-STREAM-FALSE',
      'REQ-INTERACTION-OBJECT',
      'IDEM-KEY-EMPTY',
      'IDEM-KEY-OVER',
      'IDEM-KEY-OVER-HEADER',
      'IDEM-KEY-STRING',
    ],
  },
  {
    why: 'its examples are right answers',
    clauses: [
      'ERR-KNOWN-STATUS',
      'BILL-USAGE',
      'BILL-USAGE-CREDITS',
      'BILL-NO-CARD',
      'OPS-LIST',
      'OPS-SCHEMA',
      'OPS-LISTED-PERMITTED',
      'EXEC-LISTED',
      'EXEC-INPUT',
      'EXEC-RECEIPT',
      'RCPT-STATUS',
      'RCPT-STATUS-KNOWN',
      'RCPT-COMPLETED-DATA',
      'HOOK-CREATE',
      'HOOK-LIST',
      'HOOK-LIST-ACTIVE',
      'HOOK-LIST-OWN',
      'HOOK-LIST-CREATED-AT',
      'HOOK-LIST-PREVIEW',
      'HOOK-LIST-NO-SECRET',
      'HOOK-UPDATE-NO-SECRET',
      'LOG-NO-SECRET',
    ],
  },
  {
    why: 'the document names the security scheme of every route',
    clauses: ['AUTH-MISSING', 'AUTH-EMPTY', 'AUTH-SCHEME', 'SCOPE-NO-KEY', 'HOOK-KEY-READ'],
  },
  {
    why: 'the same answer every time is also the same after an identical request, or one beside it',
    clauses: ['IDEM-ABORT-ONE-RUN', 'HOOK-UPDATE-REST'],
  },
  {
    why: 'what the document takes in any request is taken',
    clauses: ['HOOK-CREATE-RETIRED-EVENT', 'HOOK-CREATE-UNKNOWN-EVENT', 'TGT-HTTPS', 'TGT-LOCALHOST'],
  },
  {
    why: 'an update changes nothing, so that the endpoint is listed with HTTPS as before',
    clauses: ['TGT-HTTP-UPDATE'],
  },
]
