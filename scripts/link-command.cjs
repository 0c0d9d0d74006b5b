'use strict'
// Used by `prepare.cjs`, so that `npx touchstone` and `npx service-client` run the sources in a clone, as they run the
// package where that is installed: npm links no command of the root package itself.
// Plain old CommonJS, like ensure-node.cjs, because it runs on whatever Node is there.

const fs = require('node:fs')
const path = require('node:path')

const BIN = path.join(__dirname, '..', 'node_modules', '.bin')
const SOURCES = { touchstone: 'cli/bin.ts', 'service-client': 'client/command-line/bin.ts' }

const starter = (source) => `require('../../scripts/start.cjs').start('${source}')\n`

/** Started by its path, as a service is, it uses the private Node beside it; `exec` hands signals on to that. */
const forShell = (name) => `#!/bin/sh
bin=$(readlink -f "$0")
bin=\${bin%/*}
node=$bin/node
[ -x "$node" ] || node=node
exec "$node" "$bin/${name}.cjs" "$@"
`

const forWindows = (name) =>
  `@if exist "%~dp0node.exe" ("%~dp0node.exe" "%~dp0${name}.cjs" %*) else (node "%~dp0${name}.cjs" %*)\r\n`

function write(name, text) {
  const place = path.join(BIN, name)
  // It may be a link to a source, which must not be overwritten.
  fs.rmSync(place, { force: true })
  fs.writeFileSync(place, text, { mode: 0o755 })
}

exports.linkCommands = () => {
  fs.mkdirSync(BIN, { recursive: true })
  for (const [name, source] of Object.entries(SOURCES)) {
    write(`${name}.cjs`, starter(source))
    if (process.platform === 'win32') write(`${name}.cmd`, forWindows(name))
    else write(name, forShell(name))
  }
}
