/** Whether every report is what the record and the journal give. */
import { exporters } from '../../reports/index.ts'
import { readBundle, type ReadBundle } from '../rejudge/read-bundle.ts'
import { BundleError } from '../../bundle/errors.ts'
import { sha256 } from '../../bundle/seal/digest.ts'
import { version } from '../version.ts'
import type { OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import * as line from '../../bundle/verify/schema.ts'
import type { Beside } from '../../reports/formats/exporter.ts'
import { changesProblem } from '../../bundle/schema/problem.ts'

export function inspectReports(bundle: OpenedBundle): line.InspectionLine {
  const { record, cutOff, has } = bundle
  if (cutOff) return line.incomplete('no reports were written')
  if (record === null) return line.notChecked('not checked: there is no record')
  if (record.tool.version !== version())
    return line.incomplete(
      `not made again: they are of version ${record.tool.version}, and this is ${version()}`,
    )
  const read = bundleIn(bundle)
  if (typeof read === 'string') return line.notVerified('they cannot be made again', [read])
  const [there, missing] = [
    exporters.filter(({ file }) => has(file)),
    exporters.filter(({ file }) => !has(file)),
  ]
  const beside = besideOf(bundle, read.ends)
  const others = there.filter(
    ({ file, render }) => bundle.digest(file)?.sha256 !== sha256(render(read.run, beside)),
  )
  return line.judged(
    [
      ...missing.map(({ file }) => `${file}: is not there`),
      ...others.map(({ file }) => `${file}: is not what run.json and the journal give`),
    ],
    `${line.countOf(there.length, 'report')} generated again: same bytes`,
    'reports differ from what the run recorded',
  )
}

/** Read once for the reports and the verdicts. */
const known = new WeakMap<OpenedBundle, ReadBundle | string>()

/** The run as it can be read, or why it cannot. */
export function bundleIn(bundle: OpenedBundle): ReadBundle | string {
  const { path, recorded } = bundle
  let read = known.get(bundle)
  try {
    read ??= readBundle(path, recorded ?? undefined)
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    read = error.message
  }
  known.set(bundle, read)
  return read
}

export function verifiedRun(bundle: OpenedBundle): ReadBundle {
  const read = bundleIn(bundle)
  if (typeof read === 'string') throw new BundleError(read)
  return read
}

/** `ends`: where the run ends that was cut off. */
export function besideOf({ found, json }: OpenedBundle, ends: string | null): Beside {
  const files = found.map(({ path }) => path).filter((path) => path.startsWith('counterexamples/'))
  const reading = json('changes.json')
  const changes = reading.ok && changesProblem(reading.value) === null ? reading.value : undefined
  return { files: new Set(files), ends: ends ?? undefined, changes: changes as Beside['changes'] }
}
