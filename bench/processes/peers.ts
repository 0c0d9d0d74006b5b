/** Alternatives, started as a user would. Most mock our OpenAPI document. */
import { join } from 'node:path'
import { errorMessage } from '../../reports/bundle/text.ts'
import { root } from '../cache.ts'
import type { Effort } from '../measure.ts'
import { aimock } from './aimock.ts'
import { mockoon } from './mockoon.ts'
import { mockedTurn, type Peer } from './peer.ts'
import { freePort, startServer, type ServerProcess } from './server-process.ts'

const prism: Peer = {
  name: 'prism mock',
  command: [
    join(root, 'node_modules/@stoplight/prism-cli/dist/index.js'),
    'mock',
    join(root, 'spec/openapi.yaml'),
    '-v',
    'silent',
  ],
  ready: mockedTurn,
}

const toInstall: readonly (() => Peer | Promise<Peer>)[] = [mockoon, aimock]

let found: Promise<readonly Peer[]> | undefined

/** The peers that are available; those that have to be installed only if the effort allows it. */
export async function peers({ installs }: Effort): Promise<readonly Peer[]> {
  if (!installs) return [prism]
  found ??= Promise.all(toInstall.map(available)).then((more) => [prism, ...more.flat()])
  return found
}

/** None, with a message, if it is unavailable. */
async function available(find: () => Peer | Promise<Peer>): Promise<readonly Peer[]> {
  try {
    return [await find()]
  } catch (reason) {
    console.error(`skipping ${find.name}: ${errorMessage(reason)}`)
    return []
  }
}

export async function startPeer({ command, ready }: Peer): Promise<ServerProcess> {
  const port = await freePort()
  return startServer([...command, '--port', String(port)], port, ready)
}
