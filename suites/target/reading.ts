/** What the reading of a target file has at hand, and how it looks things up: what is wrong is noted, not thrown. */
import { suggestion } from './nearest.ts'
import { lookUp, type Environment } from './secrets.ts'
import type { Path, Sourced } from './source-map.ts'

export interface Reading {
  sourced: Sourced
  env: Environment
  folder: string
  /** One line for each thing that is wrong. */
  problems: string[]
}

export function mapped<T, U>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
}

/** A value, or what `env:` or `file:` stands for. */
export function valueAt(written: string, path: Path, { sourced, env, folder, problems }: Reading): string {
  const found = lookUp(written, env, folder)
  if ('value' in found) return found.value
  problems.push(`${sourced.at(path)}: ${path.join('.')}: ${found.problem}`)
  return ''
}

/** The id behind a name of the file. */
export function named(
  name: string,
  ids: Readonly<Record<string, string>>,
  path: Path,
  { sourced, problems }: Reading,
): string {
  if (name in ids) return ids[name] ?? ''
  problems.push(
    `${sourced.at(path)}: ${path.join('.')} names "${name}", which is not declared; ${suggestion(name, Object.keys(ids))}`,
  )
  return ''
}

/** An http or https address, without a trailing slash. */
export function address(url: string, path: Path, { sourced, problems }: Reading): string {
  const known = url === '' || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
  if (!known)
    problems.push(
      `${sourced.at(path)}: ${path.join('.')} is "${url}"; give an address such as https://host/path`,
    )
  return url.replace(/\/+$/, '')
}
