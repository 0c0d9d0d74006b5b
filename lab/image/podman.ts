/** Podman with images and containers of its own, which end with the rig. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Podman extends Disposable {
  /** A folder for this run. */
  readonly folder: string
  /** A command that calls it, for lines that a user would give `docker`. */
  readonly command: string
  /** Returns what it printed. Throws if it fails. */
  readonly run: (...words: readonly string[]) => string
  readonly attempt: (...words: readonly string[]) => Ended
}

/** Debian's packages that have what the rig starts. */
const packages = {
  podman: 'podman',
  runc: 'runc',
  iptables: 'iptables',
  mmdebstrap: 'mmdebstrap',
  '/usr/lib/podman/netavark': 'netavark',
  '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
}

/** Throws if a program is missing, with the command that installs it. */
function requirePrograms(): void {
  const missing = Object.entries(packages).filter(
    ([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing.length === 0) return
  const names = missing.map(([, name]) => name).join(' ')
  throw new Error(`not on this machine: apt-get install --no-install-recommends ${names}`)
}

/** Without systemd, and with limits that a root without all capabilities may set. */
const configuration = (folder: string): string => `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "${join(folder, 'networks')}"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
`

/** Also without systemd it logs each time that no timer runs the health checks: the rig runs them. */
const script = (folder: string): string => `#!/bin/sh
export CONTAINERS_CONF=${folder}/containers.conf
exec podman --runtime runc --storage-driver overlay --root ${folder}/root --runroot ${folder}/run --tmpdir ${folder}/tmp "$@"
`

export function openPodman(): Podman {
  requirePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-image-'))
  mkdirSync(join(folder, 'networks'))
  writeFileSync(join(folder, 'containers.conf'), configuration(folder))
  const command = join(folder, 'docker')
  writeFileSync(command, script(folder))
  chmodSync(command, 0o755)
  const attempt = (...words: readonly string[]): Ended =>
    spawnSync(command, words, { encoding: 'utf8', maxBuffer: 1e8 })
  return {
    folder,
    command,
    attempt,
    run: (...words) => {
      const { status, stdout, stderr } = attempt(...words)
      if (status === 0) return stdout.trim()
      throw new Error(`podman ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`.trim())
    },
    [Symbol.dispose]: () => {
      attempt('rm', '--all', '--force', '--time', '0')
      attempt('network', 'prune', '--force')
      // Podman mounts this folder on itself.
      spawnSync('umount', [join(folder, 'root/overlay')])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
