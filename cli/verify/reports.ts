/** Whether every report is what the record and the journal give. */
import { exporters } from '../../reports/index.ts'
import type { Exporter } from '../../reports/index.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import type { ReadBundle } from '../rejudge/read-bundle.ts'
import { BundleError } from '../../reports/bundle/errors.ts'
import { sha256 } from '../../reports/bundle/seal/digest.ts'
import { version } from '../version.ts'
import { besideOf } from './beside.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import {
  notVerified,
  countOf,
  incomplete,
  judged,
  notChecked,
  type InspectionLine,
} from '../../reports/bundle/verify/line.ts'

export function inspectReports(bundle: OpenedBundle): InspectionLine {
  const { record, cutOff, has } = bundle
  if (cutOff) return incomplete('no reports were written')
  if (record === null) return notChecked('not checked: there is no record')
  if (record.tool.version !== version())
    return incomplete(`not made again: they are of version ${record.tool.version}, and this is ${version()}`)
  const read = bundleIn(bundle)
  if (typeof read === 'string') return notVerified('they cannot be made again', [read])
  const there = exporters.filter(({ file }) => has(file))
  const missing = exporters.filter(({ file }) => !has(file)).map(({ file }) => `${file}: is not there`)
  const others = there
    .filter((exporter) => !isSame(exporter, read, bundle))
    .map(({ file }) => `${file}: is not what run.json and the journal give`)
  return judged(
    [...missing, ...others],
    `${countOf(there.length, 'report')} generated again: same bytes`,
    'reports differ from what the run recorded',
  )
}

function isSame({ file, render }: Exporter, { run, ends }: ReadBundle, bundle: OpenedBundle): boolean {
  return bundle.digest(file)?.sha256 === sha256(render(run, besideOf(bundle, ends)))
}

/** Read once for the reports and the verdicts. */
const known = new WeakMap<OpenedBundle, ReadBundle | string>()

/** The run as it can be read, or why it cannot. */
export function bundleIn(bundle: OpenedBundle): ReadBundle | string {
  const read = known.get(bundle) ?? readIn(bundle)
  known.set(bundle, read)
  return read
}

/** Throws a BundleError where it cannot be read. */
export function verifiedRun(bundle: OpenedBundle): ReadBundle {
  const read = bundleIn(bundle)
  if (typeof read === 'string') throw new BundleError(read)
  return read
}

function readIn({ path, recorded }: OpenedBundle): ReadBundle | string {
  try {
    return readBundle(path, recorded ?? undefined)
  } catch (error) {
    if (error instanceof BundleError) return error.message
    throw error
  }
}
