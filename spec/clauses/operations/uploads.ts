import { implied, must, stated } from '../../clause.ts'

const routes = 'Endpoints, Operations catalog, upload routes'
const document = 'States and transitions, Document upload'
const sheet = 'States and transitions, Spreadsheet upload'
const held = { observe: 'state' } as const

export const uploadsClauses = {
  'UPL-SCOPE': must(
    'An upload of either kind is refused to a key without `knowledge.write`. That it takes another scope, too, is warned of.',
    stated(routes, 'both needing `knowledge.write`'),
  ),
  'UPL-DOCUMENT-HELD': must(
    'A document upload waits for the approval of the owner where that is required.',
    stated(document, 'owner approval required | `pending_approval` before any bytes are stored'),
  ),
  'UPL-DOCUMENT-NO-BYTES': must(
    'Before that approval no byte of the document is stored.',
    stated(document, '`pending_approval` before any bytes are stored', { observe: 'inside' }),
  ),
  'UPL-DOCUMENT-PROCEEDS': must(
    'After approval the upload goes on when it is sent again with the same two keys.',
    stated(document, 'after approval, retrying with the same two keys proceeds', held),
  ),
  'UPL-SHEET-NOT-HELD': must(
    'A spreadsheet upload is not held for approval.',
    stated(sheet, 'not held by the approval gate'),
  ),
  'UPL-SHEET-KINDS': must(
    'A spreadsheet may be CSV or an Excel file.',
    stated(routes, '`uploadStructuredDataFile` (CSV or Excel)'),
  ),
  'UPL-RETRY-ONCE': must(
    'An upload repeated with the same two keys is stored once.',
    implied(routes, 'each using a stable prepare key and finalize key'),
  ),
  'UPL-RENEWAL': must(
    'A failed upload with `UPLOAD_RENEWAL_INCOMPLETE` says what is pending.',
    stated(
      'Errors, Operation errors',
      '`UPLOAD_RENEWAL_INCOMPLETE` (read the error receipt for the pending action)',
      held,
    ),
  ),
} as const
