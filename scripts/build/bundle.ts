/** The sources as few JavaScript files, with source maps. */
import { isAbsolute, join } from 'node:path'
import { rolldown } from 'rolldown'
import { chunkNames } from './chunks.ts'
import { entries, entryFiles, projectRoot } from './entries.ts'

/** Whatever is installed beside the package, or comes with Node. */
export const isForeign = (id: string): boolean => !id.startsWith('.') && !isAbsolute(id)

/** Writes them to `folder`. What several entries share, or load later, is in `folder`/chunks. */
export async function bundleSources(folder: string): Promise<void> {
  const made = await rolldown({
    input: entryFiles(entries, projectRoot, '.ts'),
    external: isForeign,
    platform: 'node',
    tsconfig: join(projectRoot, 'scripts/build/tsconfig.json'),
    preserveEntrySignatures: 'allow-extension',
    // Of a module that one command imports later and another at once.
    checks: { ineffectiveDynamicImport: false },
  })
  await made.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(), debugName: 'by starting points' }],
    },
  })
  await made.close()
}
