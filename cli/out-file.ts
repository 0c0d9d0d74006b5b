/** Files that commands write where an option names them. */
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { previousOf, runningOf } from '../bundle/folder/report-folder.ts'
import { bundleFiles, planFile } from '../bundle/names.ts'
import { exporters, reportFiles } from '../reports/index.ts'
import { UsageError } from './usage-error.ts'
import { systemReason } from './values.ts'

/** Whether a run bundle has its HTML report: a killed run has not, nor one in which that report could not be made. */
export const hasPage = (folder: string): boolean =>
  exporters.some(({ name, file }) => name === 'html' && existsSync(join(folder, file)))

export const isOfRun = (place: string): boolean =>
  [...bundleFiles, ...reportFiles].includes(basename(place)) && existsSync(join(dirname(place), planFile))

/** Throws a UsageError if a run that goes to `out` would move or delete what it is made from. */
export function mustNotReplace(out: string, inputs: readonly string[]): void {
  const replaced = [out, previousOf(out), runningOf(out)].filter((path) => existsSync(path))
  for (const path of replaced.map((one) => `${realpathSync(one)}${sep}`)) {
    const input = inputs.find((one) => existsSync(one) && `${realpathSync(one)}${sep}`.startsWith(path))
    if (input === undefined) continue
    throw new UsageError(`output folder ${out}: ${input} is read from there; name another folder.`)
  }
}

/** Throws a UsageError. */
export function writeOut(place: string, content: string, option = '--out'): void {
  if (isOfRun(place))
    throw new UsageError(`${option} ${place}: this is a file of a run bundle; give another file.`)
  try {
    writeFileSync(place, content)
  } catch (error) {
    throw new UsageError(`${option} ${place}: cannot be written (${systemReason(error)}); give another file.`)
  }
}
