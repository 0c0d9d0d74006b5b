/**
 * `npm run release:prepare -- --repository https://github.com/OWNER/NAME`: writes into the sources what only a publisher
 * knows: the address, from which the packed manifest makes its own, the name of the action in the pages, and the commit
 * of each action that a workflow still names by its tag.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from './build/entries.ts'
import { packedManifest } from './build/manifest.ts'

const { repository = '' } = parseArgs({ options: { repository: { type: 'string' } } }).values
const [, name] = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(repository) ?? []
if (name === undefined) {
  console.error(`--repository is ${repository || 'missing'}: give https://github.com/OWNER/NAME`)
  process.exit(2)
}
const address = `https://github.com/${name}`
packedManifest({}, { repository: address })

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(join(projectRoot, path), 'utf8')
  const after = change(before)
  if (after === before) return
  writeFileSync(join(projectRoot, path), after)
  console.log(`written: ${path}`)
}

const unread: string[] = []

/** An action is an annotated tag in some repositories: what it points to, which comes last, is the commit. */
function pinned(line: string, action: string, tag: string): string {
  const [owner, repo] = action.split('/')
  const words = [
    'ls-remote',
    `https://github.com/${owner}/${repo}`,
    `refs/tags/${tag}`,
    `refs/tags/${tag}^{}`,
  ]
  try {
    const listed = execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const commit = listed.trim().split('\n').at(-1)?.split('\t')[0]
    if (commit) return `uses: ${action}@${commit} # ${tag}`
  } catch {
    // Named below.
  }
  unread.push(`${action}@${tag}`)
  return line
}

edit('scripts/build/publisher.json', () => `${JSON.stringify({ repository: address }, null, 2)}\n`)
for (const path of ['docs/ci.md', 'examples/ci/github-actions.yml'])
  edit(path, (text) =>
    text.replaceAll('OWNER/touchstone@', `${name}@`).replace(/ OWNER is who publishes.*/, ''),
  )
for (const path of ['action.yml', ...globSync('.github/workflows/*.yml', { cwd: projectRoot })])
  edit(path, (text) => text.replaceAll(/uses: ([\w./-]+)@(v[\d.]+)$/gm, pinned))

if (unread.length > 0) {
  console.error(
    `not pinned, because their tags could not be read: ${unread.join(', ')}. Run this again online.`,
  )
  process.exitCode = 1
}
