'use strict'
// Starts a source of a clone: `node scripts/start.cjs cli/bin.ts ...`, or what `link-command.cjs` links.
// Says in one line what to run where `npm ci` was not allowed to prepare the clone. Plain old CommonJS, because it runs
// on whatever Node is there.

const fs = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { isNewEnough } = require('./ensure-node.cjs')

const root = path.join(__dirname, '..')

/** `source`: relative to the root of the clone; arguments are those of the process. */
exports.start = (source) => {
  // What makes the generated files needs only its tools.
  const needed = source === 'scripts/generate.ts' ? 'node_modules/@redocly/cli' : 'spec/bundled/openapi.json'
  if (!isNewEnough(process.versions.node) || !fs.existsSync(path.join(root, needed))) {
    console.error(
      'touchstone: this clone is not prepared: run `npm ci` without --ignore-scripts and --omit=dev',
    )
    process.exitCode = 2
    return
  }
  // On before the first TypeScript is read: it has the sources without their types, and loading what removes them takes
  // Node longer than all else that it does to print a version.
  require('node:module').enableCompileCache?.()
  void import(pathToFileURL(path.join(root, source)).href)
}

if (require.main === module) {
  const [source] = process.argv.splice(1, 2).slice(1)
  process.argv.splice(1, 0, path.join(root, source))
  exports.start(source)
}
