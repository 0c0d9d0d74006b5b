/** Writes a long run to a folder as `check` does: its events to the journal one by one, then every report. */
import { reportFiles } from '../../reports/index.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { openFolder } from '../../reports/bundle/folder/folder.ts'
import { redactorOf } from '../../reports/bundle/redaction/run-redactor.ts'
import { writeRun } from '../../reports/bundle/write-run.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { collectGarbage, keepHeapSmall } from '../../cli/rejudge/small-heap.ts'
import { readBundle } from '../../cli/rejudge/read-bundle.ts'
import { signerFrom } from '../../cli/seal/signer.ts'
import { longRun, withRequests } from './events.ts'

keepHeapSmall()
const [from = '', to = '', key = '', exchanges = '', bytes = ''] = process.argv.slice(2)
const { run: short, basis } = readBundle(from)
// Nothing is certified of a simulator, or of a target without a version.
const target = { ...short.record.target, kind: 'staging', version: '1.0' } as const
const run = { ...short, record: { ...short.record, target } }
const signer = signerFrom(key, process.env)
const redactor = redactorOf([{ name: 'key:main', value: 'sk-long-bundle-Zk3vTq9LmX2pRw7B' }])
const folder = openFolder(to, reportFiles)
const writer = writeRun(folder, basis, redactor, new AbortController().signal)
let written = 0
for (const event of longRun(run, { exchanges: Number(exchanges), bytes: Number(bytes) })) {
  if (event.is === 'exchange') written++
  writer.on(event)
}
const { record, journal } = run
const used = withRequests(record.used, written - journal.length)
const { journal: _, redaction: __, ...rest } = record
const kept: Run = writer.finish({ record: { ...rest, used }, journal })
collectGarbage()
const { defects } = writeReports(kept, { folder, redactor, signer })
folder.publish()
for (const { what, why } of defects) console.error(`${what}: ${why}`)
if (defects.length > 0) process.exitCode = 70
