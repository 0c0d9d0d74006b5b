/** The source files of the repository, read once, by what they are for. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type Kind = 'production' | 'test' | 'generated'

export interface Source {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly kind: Kind
}

/** Written by scripts, or a copy of what others wrote. */
const generated = [
  /^spec\/clause-sets\//,
  /^reports\/proof\//,
  /^test\/golden-(run\/|verdicts\/.*\.json$)/,
  /^lab\/.*\.(json|md)$/,
  /^package-lock\.json$/,
]

const tests = [/^test\//, /^lab\//, /^kits\/[^/]+\/tests\//, /\.(test|double|testkit)\.ts$/, /\/testing\//]

const any = (patterns: readonly RegExp[], path: string): boolean => patterns.some((one) => one.test(path))

const kindOf = (path: string): Kind =>
  any(generated, path) ? 'generated' : any(tests, path) ? 'test' : 'production'

/** Every file that git tracks or would track and whose name ends so. */
export function sources(root: string, endings: readonly string[]): readonly Source[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return listed.split('\0').flatMap((path) => {
    if (!endings.some((ending) => path.endsWith(ending))) return []
    const text = textOf(`${root}/${path}`)
    return text === null ? [] : [{ path, text, kind: kindOf(path) }]
  })
}

/** Null for a file that git still lists and that is gone. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

export const linesOf = (files: readonly Source[]): number =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

/** Folders with more files directly inside than this are hard to find one's way in. */
export const filesMost = 25

export function fullFolders(files: readonly Source[]): readonly string[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  return [...folders].flatMap(([folder, inside]) =>
    inside.length > filesMost ? [`${folder} (${inside.length})`] : [],
  )
}
