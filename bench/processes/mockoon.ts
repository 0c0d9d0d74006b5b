/** Mockoon, installed on first use. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../scripts/generate/documents.ts'
import { cacheFolder, installedFile } from '../cache.ts'
import { mockedTurn, type Peer } from './peer.ts'

/** Throws if it cannot be installed. */
export async function mockoon(): Promise<Peer> {
  const program = installedFile('@mockoon/cli@9.9.0', 'bin/run.js')
  return {
    name: 'mockoon',
    command: [program, 'start', '--disable-log-to-file', '--data', await bundled()],
    ready: mockedTurn,
  }
}

/** Mockoon does not resolve references to other files. */
async function bundled(): Promise<string> {
  const file = join(cacheFolder('documents'), 'openapi.json')
  writeFileSync(file, JSON.stringify(await bundle('openapi')))
  return file
}
