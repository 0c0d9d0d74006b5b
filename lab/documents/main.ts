/**
 * `npm run lab -- documents`: lints the bundled OpenAPI and AsyncAPI documents with spectral and the AsyncAPI parser,
 * which bring so many packages that they are installed apart (decision 29).
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { installTools } from '../tools.ts'

const documents = join(import.meta.dirname, '../../spec/bundled')
const linters = join(import.meta.dirname, 'linters')
const script = join(installTools(linters), 'lint.js')

// It imports from the node_modules beside it.
copyFileSync(join(linters, 'lint.js'), script)
const { status, error } = spawnSync(process.execPath, [script, documents], { stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1
