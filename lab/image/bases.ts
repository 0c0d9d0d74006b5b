/** The image that ours is built from: from its registry, or made of Debian's packages. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Podman } from './podman.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache/touchstone-image')
const standIns = join(import.meta.dirname, 'stand-ins')

/** What the machine's npm and this process add to the build of the image of Node. */
function copyNode(context: string): void {
  cpSync(process.execPath, join(context, 'node'))
  // Of the npm that runs this script: a private Node has none beside it.
  cpSync(join(process.env['npm_execpath'] ?? '', '../..'), join(context, 'npm'), { recursive: true })
}

interface StandIn {
  readonly packages: string
  readonly copy?: (context: string) => void
}

/** By the name of the official image. */
const table: Readonly<Record<string, StandIn>> = { node: { packages: 'ca-certificates', copy: copyNode } }

/** Debian without what its slim images lack, from the mirrors of this machine, once. */
function debianWith(packages: string): string {
  const tar = join(cache, `${packages}.tar`)
  if (existsSync(tar)) return tar
  mkdirSync(cache, { recursive: true })
  console.error(`making Debian 12 with ${packages}`)
  const left = ['doc', 'info', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const words = ['--variant=minbase', `--include=${packages}`, ...left, 'bookworm', `${tar}.part`]
  execFileSync('mmdebstrap', ['--quiet', '--format=tar', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  renameSync(`${tar}.part`, tar)
  return tar
}

function make(podman: Podman, name: string, image: string): void {
  const { packages, copy } = table[name] ?? {}
  if (packages === undefined)
    throw new Error(`${image} cannot be pulled, and lab/image/bases.ts has nothing in its place`)
  const context = mkdtempSync(join(podman.folder, 'stand-in-'))
  cpSync(join(standIns, name), context, { recursive: true })
  cpSync(debianWith(packages), join(context, 'debian.tar'))
  copy?.(context)
  podman.run('build', '--isolation', 'chroot', '--format', 'docker', '--tag', image, context)
}

/** Makes the image available under its name, such as `node:24`, and returns where it is from. */
export function provide(podman: Podman, image: string): string {
  const full = `docker.io/library/${image}`
  if (podman.attempt('pull', full).status === 0) return `${image} is from its registry`
  const [name = ''] = image.split(':')
  make(podman, name, full)
  return `${image} cannot be pulled: in its place is an image of Debian's packages`
}
