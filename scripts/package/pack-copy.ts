/** Packs a copy of the sources: `npm pack` writes dist/ and package.json, which tests read meanwhile. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../build/entries.ts'

/** What Git has, and what is new. */
function sourceFiles(): readonly string[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(projectRoot, path)))
}

/** Copies them to `folder`. */
export function copySources(folder: string): void {
  for (const path of sourceFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(projectRoot, path), join(folder, path))
  }
}

/** Returns the path of the tarball, which is in `folder`. */
export function packCopy(folder: string): string {
  const copy = join(folder, 'sources')
  copySources(copy)
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
  execFileSync('npm', ['pack', '--pack-destination', folder], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}`)
  return join(folder, tarball)
}
