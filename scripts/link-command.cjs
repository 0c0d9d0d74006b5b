'use strict'
// Runs as part of the root `prepare` script, so that `npx touchstone` runs the sources in a clone, as it runs
// the package where that is installed: npm links no command of the root package itself.
// Plain old CommonJS, like ensure-node.cjs, because it runs on whatever Node is there.

const fs = require('node:fs')
const path = require('node:path')

const BIN = path.join(__dirname, '..', 'node_modules', '.bin')
const SOURCE = path.join(__dirname, '..', 'cli', 'bin.ts')
const windows = process.platform === 'win32'
const place = path.join(BIN, windows ? 'touchstone.cmd' : 'touchstone')

fs.mkdirSync(BIN, { recursive: true })
fs.rmSync(place, { force: true })
if (windows) fs.writeFileSync(place, `@node "${SOURCE}" %*\r\n`)
else {
  fs.chmodSync(SOURCE, 0o755)
  fs.symlinkSync(path.relative(BIN, SOURCE), place)
}
