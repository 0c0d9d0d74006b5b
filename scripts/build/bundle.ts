/** The sources as few JavaScript files, with source maps. */
import { statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { entries, entryFiles, projectRoot } from './entries.ts'

/**
 * Which modules share a file: those that the same starting points load. So nothing is loaded that is not used, and
 * no two files import one another, for whatever a module imports is loaded from wherever it is.
 */

type Find = (id: string) => { importedIds: string[]; dynamicallyImportedIds: string[] } | null

/** Modules that are imported when needed, by the starting point they count as; each other is one of its own. */
const together: readonly (readonly [RegExp, string])[] = [
  [/^cli\/(main|process-io)\.ts$/, 'touchstone'],
  [/^client\/command-line\/(main|process-io)\.ts$/, 'service-client'],
  // A file of replies is read by what many commands do without.
  [/^cli\/simulate\/reply-file\.ts$/, 'replies'],
  [/^cli\/simulate\//, 'simulate'],
  [/^cli\/(check|plan)\//, 'check'],
  [/^(cli|suites)\//, 'commands'],
]

/** Bytes of sources. What has no imports, and would be a smaller file, is in one file for all that load a part of it. */
const least = 7_000

/** Gives the name of the file that a module goes into, or null of an entry, which is a file of its own. */
function chunkNames(): (id: string, find: { getModuleInfo: Find }) => string | null {
  const own = new Set(entries.map((name) => `${projectRoot}${name}.ts`))
  let groups: (readonly string[])[] | undefined
  return (id, modules) => {
    const find: Find = (one) => modules.getModuleInfo(one)
    groups ??= Map.groupBy(reached([...own], find), ([, starts]) => [...starts].sort().join())
      .values()
      .map((group) => group.map(([one]) => one))
      .toArray()
    if (own.has(id)) return null
    const at = groups.findIndex((one) => one.includes(id))
    const group = groups[at]?.filter((one) => !own.has(one)) ?? []
    const isSmall =
      group.every((one) => isAbsolute(one) && find(one)?.importedIds.length === 0) &&
      group.reduce((sum, one) => sum + statSync(one).size, 0) < least
    return isSmall ? 'common' : `shared-${at}`
  }
}

/** Every module, with the starting points that load it. */
function reached(from: readonly string[], find: Find): ReadonlyMap<string, ReadonlySet<string>> {
  const starts = new Map<string, Set<string>>()
  const waiting = from.map((id) => [id, id] as const)
  const begun = new Set<string>()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, start] = next
    const known = starts.get(id) ?? new Set()
    if (known.has(start)) continue
    starts.set(id, known.add(start))
    const { importedIds = [], dynamicallyImportedIds = [] } = find(id) ?? {}
    waiting.push(...importedIds.map((to) => [to, start] as const))
    for (const later of dynamicallyImportedIds.filter((to) => !begun.has(to))) {
      begun.add(later)
      const module = relative(projectRoot, later)
      waiting.push([later, together.find(([pattern]) => pattern.test(module))?.[1] ?? module])
    }
  }
  return starts
}

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
    // Bun has something of its own in place of `undici`, which cannot do what the suite and webhooks need.
    paths: { undici: 'undici/index.js' },
    // Without the sources: a trace names their lines, and the package is a third of the size.
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(), debugName: 'by starting points' }],
    },
  })
  await made.close()
}
