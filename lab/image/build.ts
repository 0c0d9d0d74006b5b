/** Builds the image with the command of docs/containers.md, and looks at what it contains. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { provide } from './bases.ts'
import { writeNpmSettings } from './npm-settings.ts'
import type { Podman } from './podman.ts'

const root = join(import.meta.dirname, '../..')
export const image = 'touchstone:local'

/** Four times what it is, so that a package too many is noticed. */
const mostMegabytes = 80

const page = readFileSync(join(root, 'docs/containers.md'), 'utf8')

/** The lines of the page that start so, such as `docker build`. Throws if there is none. */
export function linesOf(start: string): readonly string[] {
  const lines = page.split('\n').filter((line) => line.startsWith(start))
  assert.notEqual(lines.length, 0, `docs/containers.md has no line with ${start}`)
  return lines
}

/** Runs a line of the page with podman for docker. Throws with the output if it fails. */
export function runLine(podman: Podman, line: string, cwd = root): string {
  const env = { ...process.env, PATH: `${podman.folder}:${process.env['PATH']}` }
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status === 0) return stdout.trim()
  throw new Error(`${line} ended with ${status}:\n${`${stdout}${stderr}`.slice(-4000)}`)
}

/** The base that the Containerfile names. */
const base = /^ARG BASE=(.+)$/m.exec(readFileSync(join(root, 'Containerfile'), 'utf8'))?.[1] ?? ''

/** Builds it. Returns what the build must not have left in it. */
export function build(podman: Podman): readonly string[] {
  console.log(provide(podman, base))
  const npm = writeNpmSettings(podman.folder)
  // Without --format docker, the image has no health check; a chroot needs fewer rights.
  const options = ['--format', 'docker', '--isolation', 'chroot', ...npm.options]
  const [line = ''] = linesOf('docker build')
  const began = performance.now()
  runLine(podman, line.replace('docker build', `docker build ${options.join(' ')}`))
  console.log(`${line}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return npm.passwords
}

/** Where it may have what its base does not have. */
const places = [
  '/opt/touchstone',
  '/usr/local/bin/touchstone',
  '/usr/local/bin/service-client',
  '/data',
] as const

/** What is in the image on top of its base. Throws if that is too much, a tool of development, or a password. */
export function inspect(podman: Podman, passwords: readonly string[]): void {
  const size = (name: string): number => Number(podman.run('image', 'inspect', '--format', '{{.Size}}', name))
  const megabytes = (size(image) - size(base)) / 1e6
  assert.ok(megabytes < mostMegabytes, `the image adds ${megabytes.toFixed(0)} MB to its base`)
  console.log(`adds ${megabytes.toFixed(0)} MB to its base`)

  // It fails for a package that no dependency asks for.
  const npm = [
    '--entrypoint',
    'npm',
    image,
    'ls',
    '--all',
    '--omit=dev',
    '--parseable',
    '--prefix',
    places[0],
  ]
  const packages = podman
    .run('run', '--rm', ...npm)
    .split('\n')
    .slice(1)
  const changes = podman
    .run('image', 'diff', image, base)
    .split('\n')
    .map((line) => line.slice(2))
  const elsewhere = changes.filter(
    (path) => !places.some((place) => `${path}/`.startsWith(`${place}/`) || place.startsWith(`${path}/`)),
  )
  assert.deepEqual(elsewhere, [])
  console.log(`${packages.length} packages, none of development, and nothing outside ${places.join(', ')}`)

  podman.run('save', '--output', join(podman.folder, 'image.tar'), image)
  const saved = readFileSync(join(podman.folder, 'image.tar'))
  assert.ok(saved.includes('"name": "@touchstone-suite/touchstone"'), 'the search finds what is in a layer')
  for (const password of passwords)
    assert.ok(!saved.includes(password), 'the image contains a password of npm')
  console.log('no password of npm in a layer, the configuration or the history')
}
