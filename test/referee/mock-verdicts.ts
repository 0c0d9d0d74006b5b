/**
 * What has to be said of a bare mock of our document, and why: it knows the shapes of the contract, and keeps
 * nothing. Whatever passes or fails against it has to stand here, so that a check that is content with shapes where
 * it should look for what was kept shows as a line that somebody would have to write.
 */
import type { ClauseId } from '../../spec/index.ts'

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
  { why: 'nothing is charged', clauses: ['CRED-BALANCE', 'CRED-BALANCE-STREAM'] },
  { why: 'every turn is in the conversation of the example', clauses: ['CONV-NEW'] },
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
      'HOOK-LIST-CREATED-AT',
      'HOOK-LIST-PREVIEW',
      'HOOK-LIST-NO-SECRET',
      'HOOK-UPDATE-NO-SECRET',
      'LOG-NO-SECRET',
    ],
  },
  {
    why: 'the document names the security scheme of every route',
    clauses: ['AUTH-MISSING', 'AUTH-EMPTY', 'AUTH-SCHEME', 'AUTH-NO-ECHO', 'SCOPE-NO-KEY', 'HOOK-KEY-READ'],
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

/** Neither: what they are about never came to be, so nothing is said of it. */
export const unseen: readonly Row[] = [
  {
    why: 'the same reply to every request shows nothing of what was asked for',
    clauses: [
      'REQ-ROUTE',
      'REQ-MESSAGE-MIN',
      'REQ-MESSAGE-MAX',
      'REQ-MESSAGE-UNICODE',
      'REQ-CONVERSATION-OPTIONAL',
      'REQ-STREAM-DEFAULT',
      'IDEM-KEY-MIN',
      'IDEM-KEY-ODD',
      'RES-JSON',
      'RES-RESPONSE-STRING',
      'RES-RESPONSE-FILLED',
      'RES-CONVERSATION-UUID',
      'RES-CREDITS-USED',
      'RES-CREDITS-REMAINING',
      'RES-CREDITS-WITHOUT-BILLING',
      'RES-NO-PRESENTATION',
      'RES-NO-CUSTOMER-MESSAGE',
      'CRED-NOT-NEGATIVE',
      'RATE-HEADERS',
      'AUTH-KEY-PREFIX',
      'IDEM-REPLAY-STATUS',
      'CONV-CONTINUE',
    ],
  },
  {
    why: 'no turn is known to have run, so that nothing can be in flight, or its record be shown',
    clauses: ['IDEM-IN-FLIGHT-STATUS', 'IDEM-IN-FLIGHT-CODE', 'IDEM-REPLAY-HEADER', 'IDEM-CARRIER-AGREE'],
  },
  { why: 'nothing is refused for what was kept', clauses: ['ERR-FLAT', 'IDEM-CONFLICT-FREE'] },
  {
    why: 'no answer is a stream',
    clauses: ['SSE-DATA-JSON', 'SSE-ONE-TERMINAL', 'SSE-DONE-RESPONSE', 'CONV-AFTER-STREAM'],
  },
  {
    why: 'the part of the document on webhooks sends nothing',
    clauses: ['DLV-POST', 'DLV-BODY', 'SIGN-VALUE', 'ATT-DELIVERED', 'LOG-READ', 'HOOK-TEST'],
  },
  {
    why: 'its target file says that no state comes about',
    clauses: ['IDEM-UNCERTAIN-STATUS', 'TASK-FINAL', 'APPR-REJECTED'],
  },
]
