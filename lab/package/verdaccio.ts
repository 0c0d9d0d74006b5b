/** A registry on this machine that has only what is published to it: everything else comes from the usual one. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface Registry {
  /** Variables with which npm finds the package there. */
  readonly environment: Readonly<Record<string, string>>
  readonly publish: (tarball: string) => void
  readonly close: () => Promise<void>
}

const scope = '@touchstone-suite'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Anybody on this machine may publish what has the scope. */
const configuration = (folder: string): string => `storage: ${join(folder, 'storage')}
auth: { htpasswd: { file: ${join(folder, 'htpasswd')} } }
packages: { '${scope}/*': { access: $all, publish: $all } }
log: { type: stdout, level: error }
`

/** Throws if it does not answer within half a minute. */
async function answers(url: string): Promise<void> {
  for (let left = 150; left > 0; left -= 1) {
    const isThere = await fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await wait(200)
  }
  throw new Error(`the registry at ${url} does not answer`)
}

export async function startRegistry(tools: string, folder: string): Promise<Registry> {
  mkdirSync(folder, { recursive: true })
  const [config, npmrc] = [join(folder, 'config.yaml'), join(folder, 'npmrc')]
  const host = `127.0.0.1:${await freePort()}`
  writeFileSync(config, configuration(folder))
  writeFileSync(npmrc, `${scope}:registry=http://${host}/\n//${host}/:_authToken=anybody\n`)
  const bin = join(tools, 'node_modules/verdaccio/bin/verdaccio')
  const server = spawn(process.execPath, [bin, '--config', config, '--listen', host], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(server, 'exit')
  await answers(`http://${host}`)
  return {
    // A cache of its own, so that the time of npx is that of a first use.
    environment: {
      npm_config_globalconfig: npmrc,
      npm_config_cache: join(folder, 'cache'),
      npm_config_yes: 'true',
    },
    publish: (tarball) =>
      void execFileSync('npm', ['publish', tarball, '--provenance=false'], {
        env: { ...process.env, npm_config_globalconfig: npmrc },
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    close: async () => {
      server.kill()
      await ended
    },
  }
}
