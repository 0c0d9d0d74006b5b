/** `--out` of a command that writes one file. */
import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bundleFiles, planFile } from './bundle/names.ts'
import { UsageError } from './usage-error.ts'
import { codeOf } from './values.ts'

/** Whether a run has, or would have, a file of its own there. */
export const isOfRun = (place: string): boolean =>
  bundleFiles.includes(basename(place)) && existsSync(join(dirname(place), planFile))

/** Throws a UsageError where it cannot be written, or where it would stand in for what a run wrote. */
export function writeOut(place: string, content: string): void {
  if (isOfRun(place)) throw new UsageError(`--out ${place}: a run has its files there; name another file.`)
  try {
    writeFileSync(place, content)
  } catch (error) {
    throw new UsageError(`--out ${place}: it cannot be written (${codeOf(error)}); name another file.`)
  }
}
