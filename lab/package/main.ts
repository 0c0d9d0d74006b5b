/**
 * `npm run lab -- package [--only WAY]`: installs the package in each way of docs/install.md, into empty folders, and
 * runs it there, and the pytest plugin into an environment of its own. What is not committed is in the tarball and in
 * the registry, and neither in the clone nor from Git.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packCopy } from '../../scripts/package/pack-copy.ts'
import { optionsOf } from '../../test/options.ts'
import { installTools } from '../../test/tools.ts'
import { lintPackage } from './lint.ts'
import { testPytestPlugin } from './pytest-plugin.ts'
import { oldNode, onNewNode, runLines } from './shell.ts'
import { startRegistry } from './verdaccio.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/install.md'), 'utf8')

/** The block below each heading of the page. */
const ways = Object.fromEntries(
  [...page.matchAll(/^## (.+)\n[^#]*?^```\n([^]*?)^```/gm)].map(([, heading = '', lines = '']) => [
    heading,
    lines,
  ]),
)
/** After `npm publish`. */
const fromRegistry = 'From a registry'
const { values } = optionsOf({ options: { only: { type: 'string', default: '' } } })

const folder = mkdtempSync(join(tmpdir(), 'touchstone-install-'))
const tools = installTools(join(import.meta.dirname, 'tools'))
try {
  const tarball = packCopy()
  await lintPackage(tools, tarball)
  const registry = await startRegistry(tools, join(folder, 'registry'))
  try {
    registry.publish(tarball)
    const environment = { ...registry.environment, REPOSITORY: `file://${root}` }
    const published = 'npx --yes @touchstone-suite/touchstone --version\n'
    const every = { ...ways, [fromRegistry]: published }
    for (const [way, lines] of Object.entries(every).filter(([name]) => name.includes(values.only))) {
      const isClone = way === 'A clone'
      const { seconds, place } = runLines(folder, isClone ? lines : onNewNode(lines), environment)
      console.log(`${way}: ${seconds.toFixed(0)} s`)
      if (way !== fromRegistry) console.log(`  on ${oldNode(place, isClone)}`)
    }
  } finally {
    await registry.close()
  }
  if (values.only === '') testPytestPlugin(root, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
