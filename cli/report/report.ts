/** Makes reports of what a run left: byte for byte those that the run wrote, where it was of this version; and where they go. */
import { quoteText } from '../../bundle/curl.ts'
import { existsSync, lstatSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeFolder } from '../../bundle/folder/folder.ts'
import { lockFolder } from '../../bundle/folder/lock.ts'
import { manifestFile, statementFile } from '../../bundle/names.ts'
import { sealFolder, withSigner, writeWhole } from '../../bundle/seal/manifest.ts'
import { openForVerification, type OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import { historyPage, pastRun } from '../../reports/history.ts'
import { exporters, formats, renderText, type Exporter } from '../../reports/index.ts'
import { collectDefects, thrown } from '../../reports/write-reports.ts'
import { besideIn, openEarlier } from '../diff/diff.ts'
import type { ReportOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { alternatives } from '../nearest.ts'
import { hasPage, isOfRun, writeOut } from '../out-file.ts'
import { reportDefects } from '../check/judged-run.ts'
import { signerFrom, type Signer } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { systemReason } from '../values.ts'
import { inspections } from '../verify/inspections.ts'
import { besideOf, verifiedRun } from '../verify/reports.ts'

/** Throws a UsageError that names what is no format. */
async function chosen(names: readonly string[]): Promise<readonly Exporter[]> {
  return Promise.all(
    names.map(async (name) => (/[/\\]|\.[cm]?[jt]s$/.test(name) ? exporterIn(name) : known(name))),
  )
}

function known(name: string): Exporter {
  const format = formats.find((one) => one.name === name)
  if (format) return format
  const names = formats.map((one) => one.name)
  throw new UsageError(
    `--format ${name}: unknown format; ${alternatives(name, names)}, or a file with your own, such as ./${name}.mjs`,
  )
}

async function exporterIn(file: string): Promise<Exporter> {
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`--format ${file}: there is no such file.`)
  const module = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new UsageError(`--format ${file}: it cannot be loaded (${thrown(error)}).`)
  })) as { default?: unknown }
  const wrong = problemOf(module.default)
  if (wrong === null) return guarded(file, module.default as Exporter)
  throw new UsageError(`--format ${file}: ${wrong}; see the type Exporter of touchstone/reports.`)
}

function problemOf(exporter: unknown): string | null {
  if (exporter === undefined) return 'it has no default export'
  if (typeof exporter !== 'object' || exporter === null)
    return `its default export is a ${typeof exporter}, not an object`
  const { name, file, render } = exporter as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name === '') return 'its `name` is no text'
  if (typeof file !== 'string' || !/^[^/\\\0]+$/.test(file) || /^\.+$/.test(file))
    return 'its `file` is not the name of a file, without a folder'
  return typeof render === 'function' ? null : 'its `render` is no function'
}

/** What somebody else wrote may fail: it is their file that the message names. */
function guarded(path: string, { name, file, render }: Exporter): Exporter {
  return {
    name,
    file,
    render(run, beside) {
      // A copy: what it changes would stand in every other report.
      const content: unknown = attempt(path, () => render(structuredClone(run), beside))
      if (typeof content === 'string' || content instanceof Uint8Array) return content
      const what = content instanceof Promise ? 'a promise' : content === null ? 'null' : typeof content
      throw new UsageError(`--format ${path}: its \`render\` gave ${what}, not a text or bytes.`)
    },
  }
}

function attempt<T>(path: string, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    throw new UsageError(`--format ${path}: its \`render\` threw ${thrown(error)}.`)
  }
}

/** Gives the exit code. Throws UsageError. */
export async function report(paths: readonly string[], options: ReportOptions, io: Io): Promise<number> {
  if (options.format?.includes('history')) return reportHistory(paths, options, io)
  const [path = '', ...more] = paths
  if (more.length > 0) throw new UsageError('several folders are reported with --format history; name one.')
  const { format, out, since } = options
  if (options.signKey !== undefined) return sign(path, options, io)
  const wanted = format === undefined ? exporters : await chosen(format)
  const made = opened(path, io)
  const beside = besideIn(path, made, since)
  const render = (one: Exporter): string | Uint8Array => one.render(made.run, beside)
  const [only, ...others] = wanted
  if (out !== undefined) {
    const places = placesFor(out, wanted, path)
    const { make, defects } = collectDefects()
    const contents = new Map<string, string | Uint8Array>()
    for (const [one, place] of places) make(one.name, () => contents.set(place, render(one)))
    writeRenderedReports(contents)
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

/** Prints that it ended early, or was changed. */
function opened(path: string, { err }: Io) {
  const made = openEarlier(path)
  const note = made.ends ?? made.changed
  if (note !== undefined) err(`${path}: ${note}\n`)
  return made
}

/** Reads one run after the other. Gives the exit code. Throws UsageError and BundleError. */
function reportHistory(
  paths: readonly string[],
  { format, out, since, signKey }: ReportOptions,
  io: Io,
): number {
  if (format?.length !== 1 || since !== undefined || signKey !== undefined)
    throw new UsageError(
      '--format history is a page of its own: leave other formats, --since and --sign-key away.',
    )
  const page = historyPage(paths.map((path) => pastRun(path, opened(path, io).run)))
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

/** Throws a UsageError, and leaves all as it was, where the folder does not hold or is not whole. */
function signRun(path: string, signer: Signer): void {
  const bundle = openForVerification(path)
  mustHold(bundle)
  const { run: unsigned, ends } = verifiedRun(bundle)
  const other = unsigned.record.signing?.keyid ?? signer.keyid
  if (other !== signer.keyid)
    throw new UsageError(
      `${path} is signed by key id ${other}, which is not replaced; sign the copy that \`touchstone verify ${quoteText(path)} --rejudge --out COPY\` writes.`,
    )
  const run = { ...unsigned, record: withSigner(unsigned.record, signer) }
  const beside = besideOf(bundle, ends)
  const reports = exporters.map(({ file, render }) => [file, render(run, beside)] as const)
  const closing = [manifestFile, statementFile]
  const release = lockFolder(path)
  try {
    // Cut off from here on, the folder is one that was never closed.
    for (const file of closing) rmSync(join(path, file), { force: true })
    for (const [file, content] of reports) writeWhole(join(path, file), content)
    const files = bundle.found.map((one) => one.path).filter((file) => !closing.includes(file))
    sealFolder(path, run.record, signer, files)
  } finally {
    release()
  }
}

/** The earlier signature is the one that goes. */
function mustHold(bundle: OpenedBundle): void {
  const asked = { key: null, rejudge: false }
  const { signature: _, run: __, ...rest } = inspections
  const against = Object.entries(rest).find(
    ([, inspect]) => !['holds', 'open'].includes(inspect(bundle, asked)?.outcome ?? 'holds'),
  )
  if (against === undefined) return
  const path = resolve(bundle.path)
  throw new UsageError(
    `${path} does not hold in its ${against[0]}, so it was not signed: \`touchstone verify ${quoteText(path)}\` says why.`,
  )
}

function textOf(content: string | Uint8Array, { name }: Exporter): string {
  if (typeof content === 'string') return content
  throw new UsageError(`The format ${name} gives bytes: name a file with --out.`)
}

/** The path of each report. Throws a UsageError. `path`: of the run. */
function placesFor(out: string, formats: readonly Exporter[], path: string): ReadonlyMap<Exporter, string> {
  if (out === '') throw new UsageError('--out: name a file or a folder.')
  const folder = formats.length > 1 || out.endsWith('/') || (existsSync(out) && statSync(out).isDirectory())
  const places = new Map(formats.map((one) => [one, folder ? join(out, one.file) : out]))
  if (new Set(places.values()).size < formats.length)
    throw new UsageError(`--out ${out}: two of the formats have the same file name; write them one by one.`)
  for (const place of places.values()) mustNotHarm(place, path)
  return places
}

/** The folder of a run is evidence: closed again by whoever adds a report, it would vouch for whatever else is in it. */
function mustNotHarm(place: string, path: string): void {
  const refused = (why: string): UsageError => new UsageError(`--out ${place}: ${why}; name another place.`)
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) throw refused('that is a symbolic link')
  if (resolve(place).startsWith(resolve(path) + sep) || isOfRun(place))
    throw refused('that is in the folder of a run, which is evidence')
}

/** Throws a UsageError. */
function writeRenderedReports(contents: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [place, content] of contents)
    try {
      makeFolder(resolve(dirname(place)))
      writeFileSync(place, content)
    } catch (error) {
      throw new UsageError(
        `--out ${place}: it cannot be written (${systemReason(error)}); give another path.`,
      )
    }
}
