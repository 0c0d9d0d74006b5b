/** Reports: pure functions of a run. Adding a format is one file and one line in this table. */
import { ctrf } from './ctrf.ts'
import type { Exporter } from './exporter.ts'
import { har } from './har.ts'
import { htmlPage } from './html/page.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import { runJson } from './run-json.ts'

export { annotations } from './annotations.ts'
export type { Exporter } from './exporter.ts'
export { renderText } from './text/summary.ts'
export type { TextOptions } from './text/summary.ts'
export { closingLine, outcomes, tally } from './tally.ts'

export const exporters = [
  runJson,
  junit,
  ctrf,
  har,
  markdown,
  htmlPage,
] as const satisfies readonly Exporter[]
