import { must } from '../../clause.ts'

const routes = 'Endpoints, Operations catalog, upload routes'
const document = 'States and transitions, Document upload'
const sheet = 'States and transitions, Spreadsheet upload'
const held = { observe: 'state' } as const

export const uploadsClauses = {
  'UPL-SCOPE': must(
    'An upload of either kind is refused to a key without `knowledge.write`. That it takes another scope, too, is warned of.',
    routes,
    'both needing `knowledge.write`',
  ),
  'UPL-DOCUMENT-HELD': must(
    'A document upload waits for the approval of the owner where that is required.',
    document,
    'owner approval required | `pending_approval` before any bytes are stored',
  ),
  'UPL-DOCUMENT-NO-BYTES': must(
    'Before that approval no byte of the document is stored.',
    document,
    '`pending_approval` before any bytes are stored',
    {
      observe: 'inside',
    },
  ),
  'UPL-DOCUMENT-PROCEEDS': must(
    'After approval the upload goes on when it is sent again with the same two keys.',
    document,
    'after approval, retrying with the same two keys proceeds',
    held,
  ),
  'UPL-SHEET-NOT-HELD': must(
    'A spreadsheet upload is not held for approval.',
    sheet,
    'not held by the approval gate',
  ),
  'UPL-SHEET-KINDS': must(
    'A spreadsheet may be CSV or an Excel file.',
    routes,
    '`uploadStructuredDataFile` (CSV or Excel)',
  ),
  'UPL-RETRY-ONCE': must(
    'An upload repeated with the same two keys is stored once.',
    routes,
    'each using a stable prepare key and finalize key',
    {
      basis: 'implied',
    },
  ),
  'UPL-RENEWAL': must(
    'A failed upload with `UPLOAD_RENEWAL_INCOMPLETE` says what is pending.',
    'Errors, Operation errors',
    '`UPLOAD_RENEWAL_INCOMPLETE` (read the error receipt for the pending action)',
    held,
  ),
} as const
