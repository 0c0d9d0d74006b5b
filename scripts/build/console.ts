/** The console as static files. */
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from './entries.ts'

/** Writes them to `folder`, which is emptied first. */
export async function buildConsole(folder: string): Promise<void> {
  await build({
    configFile: join(projectRoot, 'console/vite.config.ts'),
    mode: 'production',
    build: { outDir: folder },
  })
}
