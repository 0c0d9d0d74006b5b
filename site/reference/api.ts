/** The routes and messages of each API document; the whole document is the page that redocly makes of it. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { repository } from '../documents.ts'
import { anchored, codeSpan, markdownTable, markdownText, paragraphs } from './markdown.ts'

interface ApiDocument {
  readonly title: string
  readonly source: string
  /** Of redocly's page, at the repository of the site. */
  readonly whole: string
}

/** By the site path of the page. */
export const apiDocuments: Readonly<Record<string, ApiDocument>> = {
  'reference/api.md': { title: 'The API', source: 'spec/bundled/openapi.json', whole: 'openapi.html' },
  'reference/events.md': {
    title: 'Stream events and webhook deliveries',
    source: 'spec/bundled/asyncapi.json',
    whole: 'asyncapi.html',
  },
  'reference/control-api.md': {
    title: 'The control API of the simulator',
    source: 'spec/control.yaml',
    whole: 'control.html',
  },
  'reference/run-api.md': {
    title: 'The API of a shown run',
    source: 'spec/show.yaml',
    whole: 'show.html',
  },
}

interface Described {
  readonly summary?: string
  readonly description?: string
  readonly $ref?: string
}

interface Operation extends Described {
  readonly tags?: readonly string[]
  readonly responses?: Readonly<Record<string, Described>>
}

interface Tree {
  readonly info: Described
  readonly tags?: readonly (Described & { name: string })[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly channels?: Readonly<Record<string, Described & { messages: Readonly<Record<string, object>> }>>
  readonly components?: Readonly<
    Partial<Record<'messages' | 'responses', Readonly<Record<string, Described>>>>
  >
}

/** The last word of a reference. */
const nameIn = ({ $ref = '' }: Described): string => $ref.slice($ref.lastIndexOf('/') + 1)

const methods = ['get', 'put', 'post', 'delete', 'patch']

function operationSection(name: string, operation: Operation, { components = {} }: Tree): string {
  const { summary = '', description = '', responses = {} } = operation
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description: means = '' } = components.responses?.[nameIn(response)] ?? response
    return [status, markdownText(means)]
  })
  return paragraphs([
    anchored(3, codeSpan(name), name),
    markdownText(summary),
    markdownText(description),
    markdownTable(['status', 'means'], rows),
  ])
}

function routes(tree: Tree): readonly string[] {
  const { paths = {}, tags = [] } = tree
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : []
    }),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'other')
  return [...byTag].flatMap(([tag, own]) => [
    `## ${tag}`,
    markdownText(tags.find(({ name }) => name === tag)?.description ?? ''),
    ...own.map(({ name, operation }) => operationSection(name, operation, tree)),
  ])
}

function messages({ channels = {}, components = {} }: Tree): readonly string[] {
  return Object.entries(channels).flatMap(([channel, { description = '', summary = '', messages: own }]) => [
    `## ${channel}`,
    markdownText(description || summary),
    markdownTable(
      ['message', 'means'],
      Object.keys(own).map((name) => {
        const { summary: words = '' } = components.messages?.[name] ?? {}
        return [codeSpan(name), markdownText(words)]
      }),
    ),
  ])
}

export function apiPages(): Readonly<Record<string, string>> {
  const pages = Object.entries(apiDocuments).map(([path, { title, source, whole }]) => {
    const tree = parse(readFileSync(`${repository}/${source}`, 'utf8')) as Tree
    const page = paragraphs([
      `# ${title}`,
      `→ [The whole document](/${whole}){target="_self"}, with schemas and examples`,
      markdownText(tree.info.description ?? ''),
      ...routes(tree),
      ...messages(tree),
    ])
    return [path, page] as const
  })
  return Object.fromEntries(pages)
}
