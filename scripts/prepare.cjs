'use strict'
// `npm ci` in a clone runs it, and npm where the project is installed from its Git repository.
// Plain old CommonJS, because it runs on whatever Node is there.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ensureNode } = require('./ensure-node.cjs')
const { linkCommands } = require('./link-command.cjs')

const root = path.join(__dirname, '..')

/** npm was started elsewhere: it packs what is in this folder and installs that, and runs no `prepack` before. */
function isDependency() {
  const { INIT_CWD } = process.env
  return INIT_CWD !== undefined && path.relative(root, INIT_CWD).startsWith('..')
}

const node = ensureNode()
linkCommands()
const run = (...words) => {
  const { status } = spawnSync(node, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}
// Without development dependencies (`--omit=dev`) nothing can be generated: whatever is started then says so.
if (fs.existsSync(path.join(root, 'node_modules/@redocly/cli'))) run('scripts/generate.ts', '--if-changed')
// npm runs this twice there: when it has installed the dependencies, and before it packs.
if (isDependency() && !fs.existsSync(path.join(root, 'dist/cli/bin.js'))) run('scripts/build.ts', '--pack')
