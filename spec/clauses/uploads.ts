import { must } from '../clause.ts'

const routes = 'Endpoints, Operations catalog, upload routes'
const document = 'States and transitions, Document upload'
const sheet = 'States and transitions, Spreadsheet upload'
const held = { observe: 'state' } as const

export const uploads = {
  'UPL-SCOPE': must('An upload of either kind is refused to a key without `knowledge.write`.', routes),
  'UPL-DOCUMENT-HELD': must('A document upload waits for approval by the owner.', document),
  'UPL-DOCUMENT-NO-BYTES': must('Before that approval no byte of the document is stored.', document, {
    observe: 'inside',
  }),
  'UPL-DOCUMENT-PROCEEDS': must(
    'After approval the upload goes on when it is sent again with the same two keys.',
    document,
    held,
  ),
  'UPL-SHEET-NOT-HELD': must('A spreadsheet upload is not held for approval.', sheet),
  'UPL-SHEET-KINDS': must('A spreadsheet may be CSV or an Excel file.', routes),
  'UPL-RETRY-ONCE': must('An upload repeated with the same two keys is stored once.', routes, {
    basis: 'implied',
  }),
  'UPL-RENEWAL': must(
    'An upload whose renewal is incomplete fails with `UPLOAD_RENEWAL_INCOMPLETE` and says what is pending.',
    'Errors, Operation errors',
    held,
  ),
} as const
