/** Every format by its name: those that a run leaves as files, and those that it prints. */
import { recordFile } from '../../bundle/names.ts'
import { pretty } from '../../bundle/text.ts'
import { annotations } from './annotations.ts'
import { ctrf } from './ctrf.ts'
import type { Exporter } from './exporter.ts'
import { har } from './har.ts'
import { htmlPage } from '../run/page.ts'
import { junit } from './junit.ts'
import { markdown, renderText } from '../run/summary.ts'

const runJson: Exporter = {
  name: 'json',
  file: 'run.json',
  render: ({ record }) => pretty(record),
}

export const exporters = [
  runJson,
  junit,
  ctrf,
  har,
  markdown,
  htmlPage,
] as const satisfies readonly Exporter[]

/** The summary as it is printed where there is no terminal. */
const text: Exporter = {
  name: 'text',
  file: 'summary.txt',
  render: (run, beside) => renderText(run, { colour: false, width: 100, ...(beside ? { beside } : {}) }),
}

const annotationLines: Exporter = { name: 'annotations', file: 'annotations.txt', render: annotations }

export const formats: readonly Exporter[] = [...exporters, text, annotationLines]

/** Names of the reports in the folder of a run, without the record. */
export const reportFiles: readonly string[] = exporters
  .map(({ file }) => file)
  .filter((file) => file !== recordFile)
