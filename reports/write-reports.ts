/** Writes what belongs beside the journal of a finished run: its record, every report, and a manifest over all. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../bundle/errors.ts'
import type { Folder } from '../bundle/folder/folder.ts'
import { changesFile } from '../bundle/names.ts'
import type { Run } from '../bundle/record.ts'
import { mustHaveNoSecret, writtenBelow } from '../bundle/redaction/leaks.ts'
import type { Secret } from '../bundle/redaction/redaction.ts'
import type { Signer } from '../bundle/seal/envelope.ts'
import { sealFolder, withSigner } from '../bundle/seal/manifest.ts'
import { pretty } from '../bundle/text.ts'
import { writing } from '../bundle/write-run.ts'
import type { Comparison } from './diff/compare.ts'
import type { Beside } from './formats/exporter.ts'
import { exporters, reportFiles } from './formats/index.ts'

export type FileContents = ReadonlyMap<string, string | Uint8Array>

export interface WriteOptions {
  folder: Folder
  /** No file may contain one: a folder that does is not sealed. */
  secrets: readonly Secret[]
  /** Null: the folder is sealed without a signature. */
  signer: Signer | null
  /** What changed since an earlier run. `files`: paths of the counterexamples. */
  changes?: ((run: Run, files: ReadonlySet<string>, ends: string | null) => Comparison) | null
  /** Where the run ends, in words, if it was interrupted. */
  ends?: string | null
  /** Further ones: counterexamples, or the log of a receiver. */
  files?: (run: Run) => FileContents
}

export interface WrittenReports {
  run: Run
  beside: Beside
  /** Files that are missing because of a defect of Touchstone. */
  defects: readonly Defect[]
}

/** `written`: the run as the journal has it. */
export function writeReports(written: Run, options: WriteOptions): WrittenReports {
  const { folder, secrets, signer, ends = null } = options
  const { make, defects } = collectDefects()
  const run = { ...written, record: withSigner(written.record, signer) }
  const further: FileContents = make('counterexamples', () => options.files?.(run)) ?? new Map()
  const files = new Set(further.keys())
  const compare = options.changes
  const changes = compare ? make('changes', () => compare(run, files, ends)) : null
  const beside: Beside = { files, ...(changes ? { changes } : {}), ...(ends === null ? {} : { ends }) }
  const write = (file: string, content: string | Uint8Array): void =>
    writing(folder, () => folder.write(file, content))
  // One after the other: together they are megabytes.
  for (const { name, file, render } of exporters) make(name, () => write(file, render(run, beside)))
  writing(folder, () => {
    for (const [file, content] of [
      ...(changes ? [[changesFile, pretty(changes)] as const] : []),
      ...further,
    ]) {
      folder.write(file, content)
      if (file.endsWith('.sh')) chmodSync(join(folder.path, file), 0o755)
    }
    if (secrets.length > 0) mustHaveNoSecret(writtenBelow(folder.path), secrets)
    sealFolder(folder.path, run.record, signer, reportFiles)
  })
  return { run, beside, defects }
}

export interface Defect {
  /** What could not be made: the name of a format, or what else is made of a run. */
  what: string
  why: string
}

/** Makes one thing after another, and keeps what was thrown on the way. */
export interface DefectCollector {
  /** Null where it could not be made. Throws what a person can fix. */
  make: <T>(what: string, doing: () => T) => T | null
  readonly defects: readonly Defect[]
}

export function collectDefects(): DefectCollector {
  const defects: Defect[] = []
  return {
    defects,
    make(what, doing) {
      try {
        return doing()
      } catch (error) {
        if (error instanceof BundleError) throw error
        defects.push({ what, why: thrown(error) })
        return null
      }
    },
  }
}

/** On one line, with the place in a file where it went wrong if there is one; a place inside Node does not help anyone. */
export function thrown(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200)
  const place = /(?:file:\/\/|\(|at )\/(?:[^\s()]*\/)?([^\s()/]+:\d+(?::\d+)?)\)?$/m.exec(
    error.stack ?? '',
  )?.[1]
  const words = `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ').slice(0, 200)
  return place === undefined ? words : `${words}, at ${place}`
}
