/** The suite on a bare mock of our document, which has the shapes of the contract and nothing else. */
import { fileURLToPath } from 'node:url'
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
function held(verdict: Verdict, rows: Rows, findings: readonly Finding[]): readonly string[] {
  const wanted = new Set(clausesOf(rows))
  const seen = findings.filter((finding) => finding.verdict === verdict)
  const subjects = new Set<string>(seen.map(({ subject }) => subject))
  return [
    ...Object.entries(rows).flatMap(([why, clauses]) =>
      idsIn(clauses)
        .filter((clause) => !subjects.has(clause))
        .map((clause) => `no ${verdict} of ${clause}: ${why}`),
    ),
    ...seen
      .filter(({ subject }) => !wanted.has(subject))
      .map((finding) => `nobody expected ${line(finding)}`),
  ]
}

/** What shows it, by why. */
type Rows = Readonly<Record<string, string>>

export const clausesOf = (rows: Rows): readonly string[] => Object.values(rows).flatMap(idsIn)
const idsIn = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Broken, and found to be. */
export const found: Rows = {
  'the replay header of the document is optional, and a mock sends it with every reply':
    'IDEM-FRESH-UNMARKED IDEM-KEY-MAX',
  'no turn ever runs, so of requests with one key none is the one that ran':
    'IDEM-RACE-ONE-RUN IDEM-RACE-CARRIERS IDEM-RACE-STREAM IDEM-RACE-CHARGE IDEM-POLL-ONE-RUN',
  'no key is remembered, so no other message conflicts with it':
    'IDEM-CONFLICT-STATUS IDEM-CONFLICT-CODE IDEM-CONFLICT-LENGTH IDEM-CONFLICT-STREAM',
  'that a key may stand in one of three places is beyond a schema':
    'IDEM-KEY-REQUIRED IDEM-KEY-REQUIRED-CODE IDEM-KEY-EMPTY-HEADER',
  'nothing is charged': 'CRED-BALANCE',
  'a mock chooses between JSON and a stream by `Accept`, and never reads `stream`': 'SSE-CONTENT-TYPE',
  'any key will do, for anything': 'AUTH-UNKNOWN AUTH-AGENT-UNKNOWN SCOPE-UNKNOWN-KEY BILL-USAGE-SCOPE',
  'a session that has ended is as good as any': 'HOOK-KEY-CREATE',
  'the catalog of operations and their input schemas are data to it': 'EXEC-UNKNOWN',
  'no webhook is kept: the list shows the example, whatever was created, changed or deleted': `
    HOOK-LIST-AS-SENT HOOK-CREATE-EVENTS HOOK-UPDATE-NAME HOOK-UPDATE-ENDPOINT HOOK-DELETE HOOK-NO-SESSION
    HOOK-KEY-EDIT SIGN-SECRET-OWN`,
  'the document only says that an endpoint is text: what it may be is judged by the service':
    'TGT-HTTP TGT-NOT-URL',
}

/** Kept, as far as one answer by itself can show it. */
export const kept: Rows = {
  'the document has the shape of a request, so whatever is out of shape is refused': `
    REQ-BODY-EMPTY REQ-JSON-OBJECT REQ-MESSAGE-REQUIRED REQ-MESSAGE-STRING REQ-MESSAGE-EMPTY
    REQ-MESSAGE-OVER REQ-CONVERSATION-STRING REQ-CONVERSATION-UUID REQ-STREAM-FALSE REQ-INTERACTION-OBJECT
    IDEM-KEY-EMPTY IDEM-KEY-OVER IDEM-KEY-OVER-HEADER IDEM-KEY-STRING`,
  'its examples are right answers': `
    BILL-USAGE BILL-USAGE-CREDITS BILL-NO-CARD OPS-LIST OPS-SCHEMA OPS-LISTED-PERMITTED
    EXEC-LISTED EXEC-INPUT EXEC-RECEIPT RCPT-STATUS RCPT-STATUS-KNOWN RCPT-COMPLETED-DATA HOOK-CREATE
    HOOK-LIST HOOK-LIST-ACTIVE HOOK-LIST-OWN HOOK-LIST-CREATED-AT HOOK-LIST-PREVIEW HOOK-LIST-NO-SECRET
    HOOK-UPDATE-NO-SECRET LOG-NO-SECRET ERR-FLAT ERR-JSON ERR-KNOWN-STATUS ERR-NOT-RECEIPT SSE-REFUSAL-JSON`,
  'the document names the security scheme of every route':
    'AUTH-MISSING AUTH-EMPTY AUTH-SCHEME AUTH-STREAM SCOPE-NO-KEY HOOK-KEY-READ',
  'the same answer every time is also the same after an identical request, or one beside it':
    'IDEM-ABORT-ONE-RUN HOOK-UPDATE-REST',
  'what the document takes in any request is taken':
    'HOOK-CREATE-RETIRED-EVENT HOOK-CREATE-UNKNOWN-EVENT TGT-HTTPS TGT-LOCALHOST',
  'an update changes nothing, so that the endpoint is listed with HTTPS as before': 'TGT-HTTP-UPDATE',
}
