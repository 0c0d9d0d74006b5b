/** The published schema of target files, as far as it is walked. */
import schema from '../schema.json' with { type: 'json' }
import { readPlain } from '../../../bundle/folder/plain-file.ts'
import { systemReason } from '../../../bundle/errors.ts'
import { resolve } from 'node:path'

export interface SchemaNode {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  pattern?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, SchemaNode>>
  additionalProperties?: boolean | SchemaNode
  items?: SchemaNode
  oneOf?: readonly SchemaNode[]
  anyOf?: readonly SchemaNode[]
}

const definitions: Readonly<Record<string, SchemaNode>> = schema.$defs

export const rootNode: SchemaNode = schema

/** The node itself, with what it refers to; what stands beside the reference wins. */
export function whole(node: SchemaNode): SchemaNode {
  const { $ref, ...own } = node
  return $ref === undefined ? node : { ...whole(definitions[$ref.replace('#/$defs/', '')] ?? {}), ...own }
}

/** What may stand under a node by a name that the schema gives. */
export function namedIn(node: SchemaNode): Readonly<Record<string, SchemaNode>> {
  const { properties, oneOf = [], anyOf = [] } = whole(node)
  return Object.assign({}, ...[...oneOf, ...anyOf].map(namedIn), properties) as Record<string, SchemaNode>
}

/** What stands under a node by names of the user's own; null where there are none. */
export function openIn(node: SchemaNode): SchemaNode | null {
  const { additionalProperties } = whole(node)
  return typeof additionalProperties === 'object' ? additionalProperties : null
}

/** Looks up `env:NAME` and `file:path`; everything else is itself. */
export type Environment = Readonly<Record<string, string | undefined>>

type LookedUp = { value: string } | { problem: string }

/** `folder`: what relative paths start from. A value that is referred to loses the line end at its end. */
export function lookUp(written: string, env: Environment, folder: string): LookedUp {
  if (written.startsWith('env:')) {
    const name = written.slice('env:'.length)
    const value = Object.hasOwn(env, name) ? env[name]?.trimEnd() : undefined
    if (value) return { value }
    return { problem: `the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}; set it` }
  }
  if (!written.startsWith('file:')) return { value: written }
  const path = resolve(folder, written.slice('file:'.length))
  try {
    const value = readPlain(path).toString().trimEnd()
    return value === '' ? { problem: `the file ${path} is empty; put the value into it` } : { value }
  } catch (error) {
    return { problem: `the file ${path} cannot be read (${systemReason(error)}); give another` }
  }
}

export function literalKeys(value: unknown): readonly (readonly string[])[] {
  return textsIn(value).flatMap(([path, text]) => (/^(Bearer )?(sk-|ak_)/.test(text) ? [path] : []))
}

function textsIn(
  value: unknown,
  path: readonly string[] = [],
): readonly (readonly [path: readonly string[], text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
}
