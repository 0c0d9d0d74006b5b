/** Packs a copy of the sources: `npm pack` writes dist/ and package.json, which tests read meanwhile. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectRoot } from '../build/entries.ts'

/** What Git has, and what is new. */
export function sourceFiles(): readonly string[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(projectRoot, path)))
}

export function copySources(folder: string): void {
  for (const path of sourceFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(projectRoot, path), join(folder, path))
  }
}

export const cache = join(projectRoot, 'node_modules/.cache/touchstone')

/** Returns the path of the tarball, which is packed only where no tarball of the same sources is in the cache. */
export function packCopy(): string {
  const tarball = join(cache, `package-${digestOfFiles(sourceFiles())}.tgz`)
  if (existsSync(tarball)) return tarball
  mkdirSync(cache, { recursive: true })
  // Node runs no TypeScript below node_modules, so not in the cache.
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-packing-'))
  try {
    const partial = `${tarball}.${process.pid}`
    const copy = join(folder, 'sources')
    copySources(copy)
    symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
    execFileSync('npm', ['pack', '--pack-destination', folder], {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const name = readdirSync(folder).find((entry) => entry.endsWith('.tgz'))
    if (name === undefined) throw new Error(`npm pack left no tarball in ${folder}`)
    cpSync(join(folder, name), partial)
    // Another process that looks for the tarball finds all of it or nothing.
    renameSync(partial, tarball)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tarball
}

/** `paths`: relative to the project. */
export function digestOfFiles(paths: readonly string[]): string {
  const digest = createHash('sha256')
  for (const path of paths) digest.update(`${path}\0`).update(readFileSync(join(projectRoot, path)))
  return digest.digest('hex').slice(0, 16)
}
