/** The run bundle: the record of a run, its journal and its schemas. */
export { clauseVerdict, isShown, notExercisedReasons, verdicts } from './verdict.ts'
export { curlOf } from './curl.ts'
export { readJournal, writeJournal } from './journal/codec.ts'
export { createRedactor, type Redactor, type Secret } from './redaction/redaction.ts'
export type * from './record.ts'
