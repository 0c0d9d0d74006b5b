/** docs/ and what it links to, as pages of the site. Nothing is written about twice: the text is that of the repository. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { references } from './navigation.ts'
import { fenced, paragraphs } from './reference/markdown.ts'

export const repository = fileURLToPath(new URL('..', import.meta.url))

/** Markdown by site path. */
export type Pages = Readonly<Record<string, string>>

/** Files that have a page of another kind. */
const elsewhere: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'docs/decisions/README.md': 'decisions/index.md',
  'spec/control.yaml': 'reference/control-api.md',
}

/** The site path of a file or folder of the repository. */
function sitePathOf(path: string): string {
  if (path.startsWith('docs/images/')) return path.slice('docs/'.length)
  if (elsewhere[path] !== undefined) return elsewhere[path]
  return path.startsWith('docs/') && path.endsWith('.md')
    ? path.slice('docs/'.length)
    : `source/${path.replace(/\.md$/, '')}.md`
}

const outsideCode = /(^```[^]*?^```$|`[^`\n]+`)/m
const link = /\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g

/** Text with links to site paths, and the repository paths that it links to. */
function linked(text: string, from: string): { text: string; targets: readonly string[] } {
  const targets: string[] = []
  const rewritten = text.split(new RegExp(outsideCode, 'gm')).map((part, index) => {
    if (index % 2 === 1) return part
    return part.replaceAll(link, (_, target: string, anchor: string = '') => {
      const path = posix.join(dirname(from), target).replace(/\/$/, '')
      targets.push(path)
      return `](/${sitePathOf(path)}${anchor})`
    })
  })
  return { text: rewritten.join(''), targets }
}

/** Every page that stands in the repository as Markdown. */
export function documentPaths(): readonly string[] {
  const docs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => posix.join('docs', name))
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages.toSorted()]
}

function withReference(text: string, path: string): string {
  const reference = references[path.replace(/\.md$/, '')]
  return reference === undefined
    ? text
    : text.replace(/^(# .*\n)/, `$1\n→ [Generated reference](/${reference}.md)\n`)
}

/** The pages of docs/, and one for each source file or folder that they link to. */
export function documentPages(): Pages {
  const pages: Record<string, string> = {}
  const sources = new Set<string>()
  for (const path of documentPaths()) {
    const { text, targets } = linked(readFileSync(join(repository, path), 'utf8'), path)
    pages[sitePathOf(path)] = withReference(text, sitePathOf(path))
    for (const target of targets) if (sitePathOf(target).startsWith('source/')) sources.add(target)
  }
  return { ...pages, ...Object.fromEntries([...sources].map((path) => [sitePathOf(path), sourcePage(path)])) }
}

const languages: Readonly<Record<string, string>> = {
  '.mjs': 'js',
  '.yml': 'yaml',
  '.go': 'go',
}

/** A file as code, or the files of a folder one after the other. Throws if there is neither. */
function sourcePage(path: string): string {
  const place = join(repository, path)
  const files = statSync(place).isDirectory()
    ? readdirSync(place)
        .filter((name) => statSync(join(place, name)).isFile())
        .map((name) => posix.join(path, name))
    : [path]
  return paragraphs([
    `# ${path}`,
    ...files.flatMap((file) => [...(files.length > 1 ? [`## ${posix.basename(file)}`] : []), code(file)]),
  ])
}

function code(file: string): string {
  const extension = extname(file)
  return fenced(languages[extension] ?? extension.slice(1), readFileSync(join(repository, file), 'utf8'))
}
