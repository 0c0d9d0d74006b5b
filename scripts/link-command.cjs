'use strict'
// Runs as part of the root `prepare` script, so that `npx touchstone` and `npx service-client` run the sources in
// a clone, as they run the package where that is installed: npm links no command of the root package itself.
// Plain old CommonJS, like ensure-node.cjs, because it runs on whatever Node is there.

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
const BIN = path.join(ROOT, 'node_modules', '.bin')
const SOURCES = { touchstone: 'cli/bin.ts', 'service-client': 'client/command-line/bin.ts' }
const windows = process.platform === 'win32'

/**
 * Plain JavaScript, so that the cache is on before the first TypeScript is read: it has the sources without their types,
 * and loading what removes them takes Node longer than all else that it does to print a version.
 */
const starter = (source) => `#!/usr/bin/env node
require('node:module').enableCompileCache?.()
import('${source}')
`

fs.mkdirSync(BIN, { recursive: true })
for (const [name, file] of Object.entries(SOURCES)) {
  const place = path.join(BIN, windows ? `${name}.cjs` : name)
  // It may be a link to a source, which must not be overwritten.
  fs.rmSync(place, { force: true })
  fs.writeFileSync(place, starter(`../../${file}`), { mode: 0o755 })
  if (windows) fs.writeFileSync(path.join(BIN, `${name}.cmd`), `@node "%~dp0${name}.cjs" %*\r\n`)
}
