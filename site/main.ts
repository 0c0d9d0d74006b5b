/**
 * `npm run site` builds the site into site/dist/html: installs VitePress on first use, writes docs/ and the generated
 * reference as pages, renders the API documents, and fails if a link leads nowhere. SITE_BASE is the path that it is
 * served under.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderApiDocuments } from './api-documents.ts'
import { repository } from './documents.ts'
import { deadLinks } from './links.ts'
import { llmsText } from './llms.ts'
import { sitePages } from './pages.ts'
import { htmlFolder, pageFolder, siteBase, siteFolder } from './places.ts'
import { apiDocuments } from './reference/api.ts'

/** Throws if the command fails. */
function run(command: string, words: readonly string[]): void {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { status, error } = spawnSync(command, words, { cwd: siteFolder, env, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error(`\`${command} ${words.join(' ')}\` ended with ${status}`)
}

const changedAt = (file: string): number =>
  existsSync(join(siteFolder, file)) ? statSync(join(siteFolder, file)).mtimeMs : 0

function install(): void {
  if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json'))
    run('npm', ['ci', '--ignore-scripts'])
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

install()
rmSync(join(siteFolder, 'dist'), { recursive: true, force: true })
const pages = sitePages()
write(pageFolder, pages)
cpSync(join(repository, 'docs/images'), join(pageFolder, 'public/images'), { recursive: true })
// VitePress looks whether what a page links to exists.
write(
  join(pageFolder, 'public'),
  Object.fromEntries(Object.values(apiDocuments).map(({ whole }) => [whole, ''])),
)
run(process.execPath, [join(siteFolder, 'node_modules/vitepress/bin/vitepress.js'), 'build'])
renderApiDocuments(run)
// The same pages as text, for programs that start from llms.txt.
write(htmlFolder, { ...pages, 'llms.txt': llmsText(pages, siteBase) })

const dead = deadLinks(htmlFolder, siteBase)
if (dead.length > 0) {
  console.error(`${dead.length} links lead nowhere:\n${dead.join('\n')}`)
  process.exitCode = 1
}
