/**
 * Makes dist/: the JavaScript in few files, its types beside it, and the commands executable. `--pack` also writes the
 * manifest that is packed in place of package.json; `--clean` undoes both.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  mkdirSync,
  mkdtempSync,
} from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { bundleSources, isForeign } from './build/bundle.ts'
import { buildConsole } from './build/console.ts'
import { commandEntries, projectRoot, entryFiles, libraries } from './build/entries.ts'
import { packedManifest, type Publisher } from './build/manifest.ts'

const dist = join(projectRoot, 'dist')
const manifest = join(projectRoot, 'package.json')
/** The manifest of the sources, while the packed one is in its place. */
const unpacked = join(projectRoot, 'package.json.unpacked')

function checkCommand(name: string): void {
  const bin = join(dist, `${name}.js`)
  if (!readFileSync(bin, 'utf8').startsWith('#!/usr/bin/env node\n'))
    throw new Error(`${bin} does not begin with its #! line, so it would not start: look at ${name}.ts`)
  chmodSync(bin, 0o755)
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

function writePackedManifest(): void {
  const publisher = readJson(join(projectRoot, 'scripts/build/publisher.json')) as Publisher
  const packed = packedManifest(readJson(manifest) as Readonly<Record<string, unknown>>, publisher)
  renameSync(manifest, unpacked)
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`)
}

// `npx touchstone` takes dist/ before anything else, so one that is left over hides what was changed since.
rmSync(dist, { recursive: true, force: true })
if (process.argv.includes('--clean')) {
  if (existsSync(unpacked)) renameSync(unpacked, manifest)
} else {
  execFileSync(process.execPath, [join(projectRoot, 'scripts/generate.ts'), '--if-changed'], {
    stdio: 'inherit',
  })
  await Promise.all([bundleSources(dist), declarations(dist), buildConsole(join(dist, 'console'))])
  commandEntries.forEach(checkCommand)
  if (process.argv.includes('--pack')) writePackedManifest()
}

/** Writes them to `folder`, each beside its JavaScript. */
async function declarations(folder: string): Promise<void> {
  const cache = join(projectRoot, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const single = mkdtempSync(join(cache, 'touchstone-types-'))
  try {
    // One file of types for each source.
    const tsc = join(projectRoot, 'node_modules/.bin/tsc')
    const words = ['-p', 'scripts/build/tsconfig.json', '--outDir', single]
    const { status } = spawnSync(tsc, words, { cwd: projectRoot, stdio: 'inherit' })
    if (status !== 0) throw new Error(`tsc ended with ${status}`)
    const made = await rolldown({
      input: entryFiles(libraries, single, '.d.ts'),
      external: isForeign,
      plugins: [dts({ dtsInput: true, tsconfig: false })],
    })
    await made.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].ts',
      chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, '')}-[hash].d.ts`,
    })
    await made.close()
  } finally {
    rmSync(single, { recursive: true, force: true })
  }
}
