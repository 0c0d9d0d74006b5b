import { states } from '../../spec/index.ts'
import { environmentName } from '../../suites/config/file/overrides.ts'
import { answeredNames, placeholders } from '../../suites/config/template.ts'
import { namedIn, openIn, rootNode, whole, type SchemaNode } from '../../suites/config/file/schema.ts'
import { codeSpan, markdownTable, markdownText, paragraphs } from './markdown.ts'

type Cells = readonly string[]

const written = (value: unknown): string =>
  codeSpan(typeof value === 'string' ? value : JSON.stringify(value))

/** What a value has to be, by the definition that says so. */
const definitions: Readonly<Record<string, string>> = {
  secret: 'secret',
  value: 'value',
  pointer: 'JSON pointer',
  route: 'path',
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true`, `false`',
  object: 'table',
  array: 'list',
}

function kindOf(node: SchemaNode): string {
  const named = definitions[node.$ref?.replace('#/$defs/', '') ?? '']
  if (named) return named
  const { type, enum: choices, const: only, items, pattern } = whole(node)
  if (choices) return choices.map(written).join(', ')
  if (only !== undefined) return written(only)
  if (type === undefined) return 'anything'
  const words = [type].flat().map((one) => {
    if (one === 'array' && items) return `list of ${kindOf(items)}`
    return one === 'string' && pattern === '^\\*$' ? codeSpan('*') : (kinds[one] ?? one)
  })
  return words.join(' or ')
}

function defaultOf(node: SchemaNode, required: boolean): string {
  const { default: value } = whole(node)
  if (required) return 'required'
  return value === undefined ? '' : written(value)
}

const descriptionOf = (node: SchemaNode): string => markdownText(whole(node).description ?? '')

const heads = ['key', 'value', 'default', 'meaning']

/** What is called by a name of the user's own stands under this one. */
const anyName = '<name>'

/** A row for a key, and one for each key below it. */
function rows(path: string, node: SchemaNode, required = false): readonly Cells[] {
  const own = [codeSpan(path), kindOf(node), defaultOf(node, required), descriptionOf(node)]
  return [own, ...inside(`${path}.`, node)]
}

function inside(prefix: string, node: SchemaNode): readonly Cells[] {
  const { required = [] } = whole(node)
  const named = Object.entries(namedIn(node)).flatMap(([key, child]) =>
    rows(`${prefix}${key}`, child, required.includes(key)),
  )
  const open = openIn(node)
  const entries = open && Object.keys(namedIn(open)).length > 0 ? inside(`${prefix}${anyName}.`, open) : []
  const { items } = whole(node)
  // A list of what the node itself may be shows nothing new.
  const isAlike = items?.$ref !== undefined && items.$ref === node.$ref
  const listed =
    items && !isAlike && Object.keys(namedIn(items)).length > 0
      ? inside(`${prefix.slice(0, -1)}[].`, items)
      : []
  return [...named, ...entries, ...listed]
}

function hasParts(node: SchemaNode): boolean {
  return Object.keys(namedIn(node)).length > 0 || openIn(node) !== null
}

function overview(): string {
  const { required = [] } = rootNode
  const top = Object.entries(namedIn(rootNode)).map(([key, node]) => [
    hasParts(node) ? `[${codeSpan(key)}](#${key.toLowerCase()})` : codeSpan(key),
    kindOf(node),
    defaultOf(node, required.includes(key)),
    descriptionOf(node),
  ])
  return `## The keys\n\n${markdownTable(heads, top)}`
}

function section([key, node]: readonly [string, SchemaNode]): string {
  const parts = key === 'states' ? statesOf(node) : markdownTable(heads, inside('', node))
  return paragraphs([`## ${key}`, descriptionOf(node), parts])
}

/** The ways to provide a state are the same for all, so they are described once. */
function statesOf(node: SchemaNode): string {
  const known = Object.entries(states).map(([id, { means, probe }]) => [codeSpan(id), means, probe])
  const [provision = {}] = Object.values(namedIn(node))
  return paragraphs([
    markdownTable(['state', 'what is the case', 'what shows it'], known),
    'Each is a table of these:',
    markdownTable(heads, inside('', provision)),
  ])
}

const hooks = '`enter`, `leave`, `instruction`, `undo`'

/** Every placeholder, whatever it is written in. */
function placeholderTable(): string {
  const names = Object.entries(placeholders).map(([name, meaning]) => [
    codeSpan(`{{${name}}}`),
    hooks,
    meaning,
  ])
  const others: readonly Cells[] = [
    [
      '`{{env:NAME}}`, `{{file:path}}`',
      'url, headers and json of an http hook',
      'The value of the variable, or the file. A program has `environment`.',
    ],
    ['`{{agentId}}`', '`input` of an operation', 'The id of `agents.plain`.'],
    [
      '`{fresh}`',
      '`input` of an operation, where `fresh` points to it',
      'A text of its own for each request.',
    ],
    ['`{text}`', '`fixtures.echo.message`', 'The text that the reply has to repeat.'],
    ['`{uploadId}`', '`path` of a step of an upload', 'The id that the other step returned.'],
  ]
  const filled = answeredNames.map((name) => codeSpan(name)).join(', ')
  return paragraphs([
    '## Placeholders',
    `In a \`url\` a value is percent-encoded. A hook that needs a value which the scenario does not have is not run. Of the values from responses of the target (${filled}) only those are filled in that consist of letters, digits, \`_\`, \`.\`, \`:\` and \`-\` and do not begin with \`-\`.`,
    markdownTable(['placeholder', 'in', 'stands for'], [...names, ...others]),
  ])
}

function variables(): string {
  const top = Object.keys(namedIn(rootNode)).filter((key) => !key.startsWith('$'))
  const names = top.map((key) => codeSpan(`TOUCHSTONE_${environmentName(key)}`))
  return `A [variable that overrides a key](../target-file.md#what-wins) begins with one of ${names.join(', ')}.`
}

/** Every key of a target file, by the schema. */
export function targetPage(): string {
  const sections = Object.entries(namedIn(rootNode)).filter(([, node]) => hasParts(node))
  return paragraphs([
    '# Keys of the target file',
    'From the schema `@touchstone-suite/touchstone/target.schema.json`. How a target file is written: [the target file](../target-file.md).',
    overview(),
    ...sections.map(section),
    placeholderTable(),
    '## Variables of the environment',
    variables(),
  ])
}
