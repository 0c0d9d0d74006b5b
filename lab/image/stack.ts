/** Starts what a compose file of deploy/ describes, service by service in the order of their health checks. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../bench/processes/server-process.ts'
import { inOrder, readCompose, runWords, type Service } from './compose.ts'
import type { Podman } from './podman.ts'

export const deploy = join(import.meta.dirname, '../../deploy')

export const variables = {
  CONTROL_TOKEN: '9f7c1e0b5a3d4862b1c0d9e8f7a6b5c4',
  PGPASSWORD: '5b1f0c9e7d3a48626f1e0d9c8b7a6f5e',
  SEED: 'a0b1c2d3e4f5061728394a5b6c7d8e9f',
}

export interface Stack {
  /** Where the published port of the file is reached. */
  readonly url: string
  /** The name of a container. */
  readonly containerOf: (service: string) => string
  /** Where a service is reached in the network of the file. */
  readonly addressOf: (service: string) => string
  readonly down: () => void
}

/** Runs the health check of a container, as systemd or Docker would, until it passes. Throws after a minute. */
export async function untilHealthy(podman: Podman, container: string): Promise<void> {
  for (let left = 120; left > 0; left -= 1) {
    if (podman.attempt('healthcheck', 'run', container).status === 0) return
    await wait(500)
  }
  throw new Error(
    `${container} is not healthy after a minute:\n${podman.attempt('logs', '--tail', '5', container).stderr}`,
  )
}

/** The images that a compose file names, without ours. */
export function imagesOf(file: string): readonly string[] {
  const { services } = readCompose(join(deploy, file), variables)
  return Object.values(services)
    .map(({ image }) => image)
    .filter((image) => !image.startsWith('touchstone:'))
}

/** The service with its published port moved to a free one, and that port. */
async function published(service: Service): Promise<readonly [Service, number | undefined]> {
  const [port] = service.ports ?? []
  if (port === undefined) return [service, undefined]
  const free = await freePort()
  return [{ ...service, ports: [port.replace(/:\d+:/, `:${free}:`)] }, free]
}

export async function up(podman: Podman, file: string): Promise<Stack> {
  const path = join(deploy, file)
  const compose = readCompose(path, variables)
  const containerOf = (service: string): string => `${compose.name}-${service}`
  podman.run('network', 'create', compose.name)
  let url = ''
  for (const name of inOrder(compose)) {
    const [service, port] = await published(compose.services[name] ?? { image: '' })
    const own = ['--name', containerOf(name), '--network', compose.name, '--network-alias', name]
    podman.run('run', '--detach', ...own, ...runWords(path, service))
    if (port !== undefined) url = `http://127.0.0.1:${port}`
    // nginx has none, in the file or in its image.
    if (name !== 'nginx') await untilHealthy(podman, containerOf(name))
  }
  const address = `{{(index .NetworkSettings.Networks ${JSON.stringify(compose.name)}).IPAddress}}`
  return {
    url,
    containerOf,
    addressOf: (service) => `http://${podman.run('inspect', '--format', address, containerOf(service))}:4010`,
    down: () => {
      for (const name of inOrder(compose).toReversed())
        podman.attempt('rm', '--force', '--time', '15', containerOf(name))
      podman.attempt('network', 'rm', compose.name)
    },
  }
}
