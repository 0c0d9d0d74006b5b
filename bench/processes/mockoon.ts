/** Mockoon, installed on first use. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../scripts/generate/documents.ts'
import { cacheFolder, run } from '../cache.ts'
import { errorMessage } from '../../reports/bundle/text.ts'

const wanted = '@mockoon/cli@9.9.0'

/** The arguments of Node to serve our document; undefined, with a message, if it is unavailable. */
export async function mockoonCommand(): Promise<readonly string[] | undefined> {
  try {
    return [program(), 'start', '--disable-log-to-file', '--data', await bundled()]
  } catch (reason) {
    console.error(`skipping Mockoon: ${errorMessage(reason)}`)
    return undefined
  }
}

function program(): string {
  const folder = cacheFolder('mockoon')
  const file = join(folder, 'node_modules/@mockoon/cli/bin/run.js')
  if (!existsSync(file)) {
    console.error(`installing ${wanted}`)
    run('npm', 'install', '--prefix', folder, '--no-save', '--ignore-scripts', wanted)
  }
  return file
}

/** Mockoon does not resolve references to other files. */
async function bundled(): Promise<string> {
  const file = join(cacheFolder('documents'), 'openapi.json')
  writeFileSync(file, JSON.stringify(await bundle('openapi')))
  return file
}
