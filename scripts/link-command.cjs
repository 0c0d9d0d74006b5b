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

fs.mkdirSync(BIN, { recursive: true })
for (const [name, file] of Object.entries(SOURCES)) {
  const source = path.join(ROOT, file)
  const place = path.join(BIN, windows ? `${name}.cmd` : name)
  fs.rmSync(place, { force: true })
  if (windows) fs.writeFileSync(place, `@node "${source}" %*\r\n`)
  else {
    fs.chmodSync(source, 0o755)
    fs.symlinkSync(path.relative(BIN, source), place)
  }
}
