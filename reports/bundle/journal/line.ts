/** A line of a journal, parsed once for all that read it. */
import { isUtf8 } from 'node:buffer'
import { parseJson, type JsonReading } from '../json.ts'
import { journalLineProblem } from '../schema/problem.ts'
import { sha256 } from '../seal/digest.ts'
import type { FileLine } from './lines.ts'

export interface JournalLine extends FileLine {
  sha256: string
  text: string
  reading: JsonReading
  /** Where it does not fit the schema of a line. */
  problem: string | null
}

export function journalLineOf(line: FileLine): JournalLine {
  const text = line.bytes.toString('utf8')
  const reading: JsonReading = isUtf8(line.bytes) ? parseJson(text) : { ok: false, why: 'it is not UTF-8' }
  const problem = reading.ok ? journalLineProblem(reading.value) : null
  return { ...line, sha256: sha256(line.bytes), text, reading, problem }
}
