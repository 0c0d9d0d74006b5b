/** What the reading of a target file has at hand, and how it looks things up: what is wrong is noted, not thrown. */
import { baseUrlProblem } from '../../wire/base-url.ts'
import { headerValueProblem } from '../header-value.ts'
import { suggestion } from './nearest.ts'
import { lookUp, type Environment } from './secrets.ts'
import type { YamlPath, Sourced } from './source-map.ts'

export interface Reading {
  sourced: Sourced
  env: Environment
  folder: string
  /** ISO date. */
  today: string
  /** One line for each thing that is wrong. */
  problems: string[]
}

/** Notes what is wrong with the value at a path, and what to do. */
export function complain(path: YamlPath, words: string, { sourced, problems }: Reading): void {
  problems.push(`${sourced.at(path)}: ${path.join('.')} ${words}`)
}

export function mapped<T, U>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
}

/** A value, or what `env:` or `file:` stands for. */
export function valueAt(written: string, path: YamlPath, reading: Reading): string {
  const found = lookUp(written, reading.env, reading.folder)
  if ('value' in found) return found.value
  reading.problems.push(`${reading.sourced.at(path)}: ${path.join('.')}: ${found.problem}`)
  return ''
}

/** The id behind a name of the file. */
export function named(
  name: string,
  ids: Readonly<Record<string, string>>,
  path: YamlPath,
  reading: Reading,
): string {
  if (Object.hasOwn(ids, name)) return ids[name] ?? ''
  complain(path, `names "${name}", which is not declared; ${suggestion(name, Object.keys(ids))}`, reading)
  return ''
}

export function headerValueAt(written: string, path: YamlPath, reading: Reading): string {
  const value = valueAt(written, path, reading)
  complainOfValue(value, path, reading)
  return value
}

export function complainOfValue(value: string, path: YamlPath, reading: Reading): void {
  const problem = headerValueProblem(value)
  if (problem !== null) complain(path, problem, reading)
}

/** An http or https address, without a trailing slash. `problemOf`: what is wrong with it, if anything. */
export function address(
  url: string,
  path: YamlPath,
  reading: Reading,
  problemOf: (url: string) => string | null = baseUrlProblem,
): string {
  const problem = url === '' ? null : problemOf(url)
  if (problem !== null) complain(path, problem, reading)
  return url.replace(/\/+$/, '')
}
