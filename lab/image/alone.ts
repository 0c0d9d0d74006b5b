/** Runs the image as docs/containers.md does. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../test/free-port.ts'
import { image, linesOf, runLine } from './build.ts'
import type { Podman } from './podman.ts'

/** Runs the health check of a container, as systemd or Docker would, until it passes. Throws after a minute. */
async function untilHealthy(podman: Podman, container: string): Promise<void> {
  for (let left = 120; left > 0; left -= 1) {
    if (podman.attempt('healthcheck', 'run', container).status === 0) return
    await wait(500)
  }
  throw new Error(
    `${container} is not healthy after a minute:\n${podman.attempt('logs', '--tail', '5', container).stderr}`,
  )
}

/** Ends a container with SIGTERM. Returns how long it took; throws if its exit code is not 0. */
function terminate(podman: Podman, container: string): string {
  const began = performance.now()
  podman.run('stop', container)
  const milliseconds = performance.now() - began
  assert.equal(podman.run('inspect', '--format', '{{.State.ExitCode}}', container), '0')
  return `SIGTERM ends it with exit code 0 in ${(milliseconds / 1000).toFixed(1)} s`
}

/** The first command that it prints, with the address at which it is published. */
function printedCurl(podman: Podman, container: string, port: number): string {
  const [, curl = ''] = /^A turn:\n((?: .*\n)+)/m.exec(podman.run('logs', container)) ?? []
  return curl.replace('0.0.0.0:4010', `127.0.0.1:${port}`)
}

/** `docker run` as on the page: user, file system, health check, a turn, and its end. */
async function server(podman: Podman): Promise<void> {
  const port = await freePort()
  const [line = ''] = linesOf('docker run --rm --read-only')
  const words = line.replace('--rm', '--detach --name alone').replace(':4010:', `:${port}:`)
  runLine(podman, words)
  await untilHealthy(podman, 'alone')
  const inside = (...command: readonly string[]) => podman.attempt('exec', 'alone', ...command)
  assert.match(inside('id').stdout, /^uid=1000\(\w+\) gid=1000/)
  for (const place of ['/', '/opt/touchstone', '/data', '/home/node'])
    assert.match(inside('touch', join(place, 'file')).stderr, /Read-only file system/)
  const sent = spawnSync('bash', ['-c', printedCurl(podman, 'alone', port)], { encoding: 'utf8' })
  assert.match(sent.stdout, /"credits_used"/)
  console.log(
    `${line}: runs as user 1000, cannot write to its root, and the curl line that it prints is a turn`,
  )
  console.log(terminate(podman, 'alone'))
}

/** The health check fails where no simulator listens. */
function sick(podman: Podman): void {
  podman.run('run', '--detach', '--name', 'sick', '--entrypoint', 'sleep', image, '60')
  assert.equal(podman.attempt('healthcheck', 'run', 'sick').status, 1)
  podman.run('rm', '--force', '--time', '0', 'sick')
  console.log('the health check ends with 0 beside a simulator, and with 1 beside none')
}

/** The other commands of the page, each in an empty folder. */
function commands(podman: Podman): void {
  for (const line of linesOf('docker run --rm').filter((one) => !one.includes('--publish'))) {
    runLine(podman, line, podman.folder)
    console.log(`${line}: ends with 0`)
  }
}

export async function runAlone(podman: Podman): Promise<void> {
  await server(podman)
  sick(podman)
  commands(podman)
}
