/** Statements on a web server: static files, and an index.json with their paths. */
import { isPlainlySpelled, parseJson } from '../../reports/bundle/json.ts'
import { visibleLine } from '../../reports/visible.ts'
import { download } from './download.ts'
import { UsageError } from '../usage-error.ts'
import { readLimits, type Found } from './limits.ts'

/** Files that are loaded at the same time. */
const atOnce = 16

/** Throws a UsageError for an index that is none, and DownloadFailed if a file of it cannot be loaded. */
export async function* statementsAt(address: string): AsyncGenerator<Found> {
  const base = baseOf(address)
  const signal = AbortSignal.timeout(readLimits.milliseconds)
  const paths = pathsIn(await download(new URL('index.json', base), readLimits.indexBytes, signal), address)
  for (let first = 0; first < paths.length; first += atOnce)
    yield* await Promise.all(
      paths.slice(first, first + atOnce).map(async (path) => {
        const url = new URL(path.split('/').map(encodeURIComponent).join('/'), base)
        return { file: url.href, bytes: await download(url, readLimits.statementBytes, signal) }
      }),
    )
}

function baseOf(address: string): URL {
  const base = URL.parse(address.endsWith('/') ? address : `${address}/`)
  if (base !== null && base.username + base.password + base.search + base.hash === '') return base
  throw new UsageError('--from: give the URL of a folder, without a user name, a query or a fragment.')
}

function pathsIn(bytes: Buffer, address: string): readonly string[] {
  const text = bytes.toString('utf8')
  const reading = parseJson(text)
  const index = reading.ok && isPlainlySpelled(text, reading.value) ? reading.value : null
  const { statements } = (index ?? {}) as { statements?: unknown }
  const problem = (what: string): UsageError =>
    new UsageError(`--from ${address}: index.json ${what}; write it as docs/gate.md shows.`)
  if (!Array.isArray(statements)) throw problem('has no list "statements"')
  if (statements.length > readLimits.statements)
    throw problem(`lists more than ${readLimits.statements} statements`)
  for (const path of statements as readonly unknown[])
    if (!isRelative(path)) throw problem(`lists ${visibleLine(JSON.stringify(path).slice(0, 80))}`)
  return [...new Set(statements as readonly string[])]
}

/** Names of folders and a file, none of which leads out of the registry. */
function isRelative(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    path.length <= 1_000 &&
    path.split('/').every((name) => name.isWellFormed() && /^(?!\.{1,2}$)[^\\:%?#\p{Cc}]+$/u.test(name))
  )
}
