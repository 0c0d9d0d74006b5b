/** The formats that were asked for: those of ours by name, those of a user by file. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formats } from '../../reports/index.ts'
import type { Exporter } from '../../reports/index.ts'
import { thrown } from '../../reports/findings/defects.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'

/** Throws a UsageError that names what is no format. */
export async function chosen(names: readonly string[]): Promise<readonly Exporter[]> {
  return Promise.all(names.map(async (name) => (isFile(name) ? exporterIn(name) : known(name))))
}

const isFile = (name: string): boolean => /[/\\]|\.[cm]?[jt]s$/.test(name)

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
  if (typeof file !== 'string' || !isPlain(file))
    return 'its `file` is not the name of a file, without a folder'
  return typeof render === 'function' ? null : 'its `render` is no function'
}

const isPlain = (file: string): boolean => /^[^/\\\0]+$/.test(file) && !/^\.+$/.test(file)

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
