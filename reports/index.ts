/** Reports: pure functions of a run. Adding a format is one file and one line in this table. */
import type { Exporter } from './exporter.ts'
import { htmlPage } from './html/page.ts'
import { junit } from './junit.ts'
import { runJson } from './run-json.ts'

export type { Exporter } from './exporter.ts'
export { renderText } from './text/summary.ts'
export type { TextOptions } from './text/summary.ts'
export { closingLine, outcomes, tally } from './tally.ts'

export const exporters = [runJson, junit, htmlPage] as const satisfies readonly Exporter[]
