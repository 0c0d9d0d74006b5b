import { states } from '../../spec/index.ts'
import { environmentName } from '../../suites/config/file/overrides.ts'
import { answeredNames, placeholders } from '../../suites/config/template.ts'
import { namedIn, openIn, rootNode, whole, type SchemaNode } from '../../suites/config/file/schema.ts'

const introduction = `<!-- Written by \`npm run generate\` from \`suites/config/schema.json\`; edit the schema, not this page. -->

# The target file

A target file says what a service under test has, so that the suite can pick from it by what things can do and
never by what they are called. [target.example.yaml](target.example.yaml) is a whole one. Unknown keys are
refused with the nearest known one, and every mistake is said at once, each with its file and line. What \`vendor\`
is, and which identifiers follow from it: [vendor.md](vendor.md).

## In an editor

The schema is published in the package as \`touchstone/target.schema.json\`. Editors that read YAML complete and
check a file which names it, in its first line or as a key:

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/touchstone/suites/config/schema.json
$schema: ./node_modules/touchstone/suites/config/schema.json
\`\`\`

## Secrets

A secret is never written in the file. It is \`env:NAME\`, an environment variable, or \`file:path\`, a file whose
path is relative to this one; a line end at its end is left away. A text that looks like an API key is refused
wherever it stands. What is called a value below may be given in these ways too, and may also stand for itself.
Keys, session headers, fixed headers and the token of the control protocol are taken out of every report.

## What wins

The command line wins over the environment, and the environment over the file. A variable of the environment is
named by the path of the key: \`TOUCHSTONE_\`, then the keys in capitals, with two underscores between levels and
one between the words of a key. What stands in it is written as in the file, so lists and tables are YAML and a
secret is still \`env:\` or \`file:\`. An empty variable counts as none. One that is about nothing in a target file
is refused, unless the file itself refers to it.

\`\`\`sh
TOUCHSTONE_TARGET__BASE_URL=https://staging-2.example
TOUCHSTONE_BUDGETS__TURNS=50
TOUCHSTONE_PRINCIPALS__MAIN__BEARER=env:ANOTHER_KEY
TOUCHSTONE_STATES__CHAT_PAUSED__AGENT=paused
TOUCHSTONE_OPT_IN='[slow]'
\`\`\``

type Cells = readonly string[]

/** Columns as wide as their widest cell, as the formatter would have them. */
function table(head: Cells, rows: readonly Cells[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => (row[i] ?? '').length)))
  const line = (cells: Cells): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const code = (text: string): string => `\`${text}\``

const written = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value))

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
    return one === 'string' && pattern === '^\\*$' ? code('*') : (kinds[one] ?? one)
  })
  return words.join(' or ')
}

function defaultOf(node: SchemaNode, required: boolean): string {
  const { default: value } = whole(node)
  if (required) return 'required'
  return value === undefined ? '' : written(value)
}

const heads = ['key', 'value', 'default', 'meaning']

/** What is called by a name of the user's own stands under this one. */
const anyName = '<name>'

/** A row for a key, and one for each key below it. */
function rows(path: string, node: SchemaNode, required = false): readonly Cells[] {
  const own = [code(path), kindOf(node), defaultOf(node, required), whole(node).description ?? '']
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
    hasParts(node) ? `[${code(key)}](#${key.toLowerCase()})` : code(key),
    kindOf(node),
    defaultOf(node, required.includes(key)),
    whole(node).description ?? '',
  ])
  return `## The keys\n\n${table(heads, top)}`
}

function section([key, node]: readonly [string, SchemaNode]): string {
  const parts = key === 'states' ? statesOf(node) : table(heads, inside('', node))
  return [`## ${key}`, whole(node).description ?? '', parts].filter((part) => part !== '').join('\n\n')
}

/** The ways to provide a state are the same for all, so they are described once. */
function statesOf(node: SchemaNode): string {
  const known = Object.entries(states).map(([id, { means, probe }]) => [code(id), means, probe])
  const [provision = {}] = Object.values(namedIn(node))
  return [
    table(['state', 'what is the case', 'what shows it'], known),
    'Each is a table of these:',
    table(heads, inside('', provision)),
  ].join('\n\n')
}

const hooks = '`enter`, `leave`, `instruction`, `undo`'

/** Every placeholder, whatever it is written in. */
function placeholderTable(): string {
  const names = Object.entries(placeholders).map(([name, meaning]) => [code(`{{${name}}}`), hooks, meaning])
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
  return `## Placeholders

In a \`url\` a value is percent-encoded. A hook that needs a value which the scenario does not have is not run. Of
the values from responses of the target (${answeredNames.map((name) => code(name)).join(', ')}) only those are
filled in that consist of letters, digits, \`_\`, \`.\`, \`:\` and \`-\` and do not begin with \`-\`.

${table(['placeholder', 'in', 'stands for'], [...names, ...others])}`
}

function variables(): string {
  const top = Object.keys(namedIn(rootNode)).filter((key) => !key.startsWith('$'))
  return `Each begins with one of ${top.map((key) => code(`TOUCHSTONE_${environmentName(key)}`)).join(', ')}.`
}

/** The page \`docs/target-file.md\`: every key of a target file, as Markdown. */
export function targetPage(): string {
  const sections = Object.entries(namedIn(rootNode)).filter(([, node]) => hasParts(node))
  return `${[introduction, variables(), overview(), ...sections.map(section), placeholderTable()].join('\n\n')}\n`
}
