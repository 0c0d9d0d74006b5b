/** The types of what can be imported, in as few files as the JavaScript. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { isForeign } from './bundle.ts'
import { entryFiles, libraries, projectRoot } from './entries.ts'

/** Writes them to `folder`, each beside its JavaScript. */
export async function declarations(folder: string): Promise<void> {
  const cache = join(projectRoot, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const single = mkdtempSync(join(cache, 'touchstone-types-'))
  try {
    compile(single)
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

/** One file of types for each source. */
function compile(folder: string): void {
  const tsc = join(projectRoot, 'node_modules/.bin/tsc')
  const words = ['-p', 'scripts/build/tsconfig.json', '--outDir', folder]
  const { status } = spawnSync(tsc, words, { cwd: projectRoot, stdio: 'inherit' })
  if (status !== 0) throw new Error(`tsc ended with ${status}`)
}
