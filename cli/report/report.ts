/** Makes reports of what a run left: byte for byte those that the run wrote, where it was of this version. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exporters, renderText } from '../../reports/index.ts'
import type { Beside, Exporter } from '../../reports/index.ts'
import type { Comparison } from '../../reports/diff/compare.ts'
import { changesProblem } from '../../reports/bundle/schema/problem.ts'
import { parseJson } from '../../suites/wire/exchange.ts'
import { historyPage, pastRun } from '../../reports/history.ts'
import { reportDefects } from '../report-defects.ts'
import { collectDefects } from '../../reports/findings/defects.ts'
import { changesFile } from '../../reports/bundle/names.ts'
import { comparisonOf } from '../diff/comparison.ts'
import { openEarlier, type Earlier } from '../diff/earlier.ts'
import { judgedBy, openSince } from '../diff/since.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { writeOut } from '../out-file.ts'
import { signRun } from '../seal/sign-run.ts'
import { signerFrom } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { chosen } from './chosen.ts'
import { hasPage } from './has-page.ts'
import { placesFor, writeRenderedReports } from './place.ts'
import { plainOrRefused } from '../../reports/bundle/folder/plain-file.ts'

export interface ReportOptions {
  format?: readonly string[]
  out?: string
  since?: string
  signKey?: string
}

/** Gives the exit code. Throws UsageError. */
export async function report(
  [path = '', ...more]: readonly string[],
  options: ReportOptions,
  io: Io,
): Promise<number> {
  if (more.length > 0) throw new UsageError('several folders are reported with --format history; name one.')
  const { format, out, since } = options
  if (options.signKey !== undefined) return sign(path, options, io)
  const wanted = format === undefined ? exporters : await chosen(format)
  const made = openEarlier(path)
  const beside = besideOf(path, made, since)
  if (made.ends !== null) io.err(`${path}: ${made.ends}\n`)
  const render = (one: Exporter): string | Uint8Array => one.render(made.run, beside)
  const [only, ...others] = wanted
  if (out !== undefined) {
    const origin = { path, record: made.run.record, ends: made.ends }
    const places = placesFor(out, wanted, origin)
    const { make, defects } = collectDefects()
    const contents = new Map<string, string | Uint8Array>()
    for (const [one, place] of places) make(one.name, () => contents.set(place, render(one)))
    writeRenderedReports(contents, origin)
    for (const place of contents.keys()) io.err(`${place}\n`)
    return reportDefects(defects, out, io, exitCodes.ok)
  }
  if (format === undefined || (only?.name === 'text' && others.length === 0))
    io.out(
      renderText(made.run, {
        colour: io.colour,
        width: io.width,
        folder: path,
        beside,
        hasPage: hasPage(path),
      }),
    )
  else if (only && others.length === 0) io.out(textOf(render(only), only))
  else throw new UsageError(`${wanted.length} formats do not go to one output: name a folder with --out.`)
  return exitCodes.ok
}

/** Reads one run after the other. Gives the exit code. Throws UsageError and BundleError. */
export function reportHistory(
  paths: readonly string[],
  { format, out, since, signKey }: ReportOptions,
  io: Io,
): number {
  if (format?.length !== 1 || since !== undefined || signKey !== undefined)
    throw new UsageError(
      '--format history is a page of its own: leave other formats, --since and --sign-key away.',
    )
  const page = historyPage(paths.map((path) => pastRun(path, openEarlier(path).run)))
  if (out === undefined) io.out(page)
  else writeOut(out, page)
  return exitCodes.ok
}

/** It is the folder as a whole that is signed, and nothing that is made of it elsewhere. */
function sign(path: string, { format, out, since, signKey }: ReportOptions, { env, err }: Io): number {
  if (format !== undefined || out !== undefined || since !== undefined)
    throw new UsageError(
      '--sign-key signs the folder of the run itself: leave --format, --out and --since away.',
    )
  const signer = signerFrom(signKey, env)
  if (signer) signRun(path, signer)
  err(`${path} is signed by key id ${signer?.keyid}\n`)
  return exitCodes.ok
}

function textOf(content: string | Uint8Array, { name }: Exporter): string {
  if (typeof content === 'string') return content
  throw new UsageError(`The format ${name} gives bytes: name a file with --out.`)
}

/** What lay beside the reports when they were made. */
function besideOf(path: string, made: Earlier, since: string | undefined): Beside {
  const { run, files, ends } = made
  const earlier = openSince(since, judgedBy(run))
  const changes = earlier === null ? changesIn(path) : comparisonOf(earlier, made)
  return { files, ...(changes ? { changes } : {}), ...(ends === null ? {} : { ends }) }
}

/** What a run with `--since` found to have changed; null of one without. */
function changesIn(path: string): Comparison | null {
  const file = join(path, changesFile)
  if (!existsSync(file)) return null
  const reading = parseJson(plainOrRefused(file).toString('utf8'))
  const reported = reading.ok ? changesProblem(reading.value) : `: ${reading.why}`
  if (reported !== null) throw new UsageError(`${file}${reported}. Take the folder as the run left it.`)
  return (reading.ok ? reading.value : null) as unknown as Comparison | null
}
