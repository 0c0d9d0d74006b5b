/**
 * `TOUCHSTONE_TARGET__BASE_URL` stands for target.baseUrl: levels are parted by two underscores, and what is one
 * word in the file may be several here. Values are written as in the file, so a secret is `env:` or `file:` too.
 */
import { isObject } from '../../../spec/json.ts'
import { parseDocument } from 'yaml'
import { nearest } from './nearest.ts'
import { namedIn, openIn, rootNode, whole, type SchemaNode } from './schema.ts'
import type { Environment } from './secrets.ts'
import { aliasesWithoutEnd, valueIn, type YamlPath, type Sourced } from './source-map.ts'

const prefix = 'TOUCHSTONE_'

/** Variables that `touchstone exec` sets for its command: none of them overrides the file. */
const ofSimulator: readonly string[] = ['AGENT', 'SESSION', 'SEED', 'TENANT', 'CONTROL_URL', 'CONTROL_TOKEN']
const isHandedOn = (env: Environment, name: string): boolean =>
  Boolean(env['TOUCHSTONE_TENANT']) && ofSimulator.includes(name.slice(prefix.length))

interface Override {
  variable: string
  path: readonly string[]
  value: unknown
}

/** The file with the environment laid over it. `problems`: variables that were meant for it and do not fit. */
export function overridden(
  sourced: Sourced,
  env: Environment,
): { sourced: Sourced; problems: readonly string[] } {
  if (!isObject(sourced.value)) return { sourced, problems: [] }
  const mentioned = JSON.stringify(sourced.value)
  const found = Object.entries(env)
    .filter(([name, text]) => name.startsWith(prefix) && Boolean(text) && !isHandedOn(env, name))
    // A variable that the file itself refers to is only called so.
    .filter(([name]) => !mentioned.includes(`"env:${name}"`))
    .flatMap(([name, text = '']) => overrideFrom(name, text, sourced.value) ?? [])
  const problems = found.filter((one) => typeof one === 'string')
  const overrides = found.filter((one) => typeof one === 'object')
  return { sourced: overrides.length > 0 ? laidOver(sourced, overrides) : sourced, problems }
}

function laidOver(sourced: Sourced, overrides: readonly Override[]): Sourced {
  const value = structuredClone(sourced.value)
  // The shorter path first: the longer one says more.
  for (const { path, value: given } of overrides.toSorted((a, b) => a.path.length - b.path.length))
    put(value, path, given)
  return {
    value,
    at(path: YamlPath) {
      const by = overrides.find((one) => one.path.every((name, i) => name === path[i]))
      return by ? `the environment variable ${by.variable}` : sourced.at(path)
    },
  }
}

function put(table: unknown, [name = '', ...rest]: readonly string[], given: unknown): void {
  if (!isObject(table)) return
  const members: Record<string, unknown> = table
  if (rest.length === 0) members[name] = given
  else {
    if (!isObject(members[name])) members[name] = {}
    put(members[name], rest, given)
  }
}

/** Null for a variable that is none of ours. */
function overrideFrom(variable: string, text: string, file: unknown): Override | string | null {
  const segments = variable.slice(prefix.length).split('__')
  const path: string[] = []
  let node: SchemaNode = rootNode
  let value = file
  for (const [i, segment] of segments.entries()) {
    const known = { ...namedIn(node), ...ownNames(node, value) }
    const name = Object.keys(known).find((candidate) => spelled(candidate) === squeezed(segment))
    const next = name === undefined ? undefined : known[name]
    if (name === undefined || next === undefined)
      return unknownName(variable, segments, i, Object.keys(known))
    path.push(name)
    node = next
    value = isObject(value) ? value[name] : undefined
  }
  const read = valueOf(text, node)
  return 'problem' in read
    ? `the environment variable ${variable}${read.problem}`
    : { variable, path, value: read.value }
}

/** The names that the user chose in the file. */
function ownNames(node: SchemaNode, value: unknown): Readonly<Record<string, SchemaNode>> {
  const open = openIn(node)
  return open && isObject(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, open])) : {}
}

/** A single word that is like nothing in a target file is somebody else's. */
function unknownName(
  variable: string,
  segments: readonly string[],
  at: number,
  known: readonly string[],
): string | null {
  const names = known.filter((name) => !name.startsWith('$')).map(environmentName)
  const near = nearest(segments[at] ?? '', names)
  if (segments.length === 1 && near === undefined) return null
  const called = (name: string): string => prefix + segments.with(at, name).join('__')
  const around = prefix + segments.slice(0, at).join('__')
  const others = names.length > 0 ? `known are ${names.map(called).join(', ')}` : `${around} has no parts`
  const advice = near === undefined ? others : `did you mean ${called(near)}?`
  return `the environment variable ${variable} is about nothing in a target file; ${advice}`
}

/** Text stays text; what else is meant is read as in the file. */
function valueOf(text: string, node: SchemaNode): { value: unknown } | { problem: string } {
  const { type, enum: choices, const: only } = whole(node)
  if (type === 'string' || choices !== undefined || only !== undefined) return { value: text }
  const document = parseDocument(text, { prettyErrors: false })
  const [error] = document.errors
  if (error) return { problem: ` is not YAML: ${error.message}` }
  const value = valueIn(document)
  return value === undefined ? { problem: `: ${aliasesWithoutEnd}` } : { value }
}

/** `baseUrl` is BASE_URL, `chat.paused` is CHAT_PAUSED. */
export function environmentName(key: string): string {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toUpperCase()
}

const squeezed = (name: string): string => name.replaceAll('_', '')
const spelled = (key: string): string => squeezed(environmentName(key))
