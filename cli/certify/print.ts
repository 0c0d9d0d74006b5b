/** What `touchstone certify` prints: what is stated, and the files. */
import { join } from 'node:path'
import type { Run } from '../../reports/bundle/record.ts'
import { historyData, statementTitle, type StatedHistory } from '../../reports/conformance-statement/index.ts'
import { counted } from '../../reports/html/elements/words.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'

export interface Written {
  files: readonly string[]
  noPdf: string | null
  history: StatedHistory | null
}

export function printCertified(
  run: Run,
  { files, noPdf, history }: Written,
  { json, out }: { json?: true; out: string },
  { out: print, err }: Io,
): void {
  const { conformance, gate } = run.record
  const title = visibleLine(statementTitle(run))
  const runs = history === null ? null : historyData(history)
  if (json) {
    const passed = gate.passed
    print(printedJson({ schemaVersion: 1, title, conformance, gate: passed, runs, files, noPdf }))
    return
  }
  print(`${title}: ${conformance}, gate ${gate.passed ? 'passed' : 'failed'}\n`)
  if (runs !== null) {
    const later = runs.later === 0 ? '' : ` (${runs.later} later)`
    print(`${counted(runs.runs, 'run')} in the log, ${runs.discarded} of them discarded${later}\n`)
  }
  const areas = files.filter((file) => file.startsWith('badges/') && file.endsWith('.svg')).length
  for (const file of files.filter((one) => !one.startsWith('badges/'))) print(`  ${join(out, file)}\n`)
  print(`  ${join(out, 'badges')}/ (${areas} areas)\n`)
  if (noPdf !== null && noPdf !== '--no-pdf') err(`no PDF: ${noPdf}\n`)
}
