/** Reports: pure functions of a run. Adding a format is one file and one line in the table of formats. */
export { annotations } from './formats/annotations.ts'
export type { Beside, Exporter } from './formats/exporter.ts'
export { exporters, formats, reportFiles } from './formats/index.ts'
export { renderText } from './run/summary.ts'
export type { SummaryOptions } from './run/summary.ts'
export { scopeOf } from '../bundle/seal/statement.ts'
export { countsLine, outcomes, tally } from './verdicts/verdicts.ts'
export type { Exchange, Finding, Run, RunRecord } from '../bundle/record.ts'
