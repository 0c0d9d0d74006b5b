/** The published schema of target files, as far as it is walked. */
import schema from '../schema.json' with { type: 'json' }

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
