/**
 * Measures the code base: lines, files, words, commands, folders, cycles, names defined twice, retired words. With
 * `--check` it fails where a figure is above its limit in scripts/house/limits.json; with `--lower` it lowers the limits
 * to the figures, and nothing raises one; with `--list NAME` it lists what a figure counts. Figures without a limit are
 * only printed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dirname, posix } from 'node:path'
import ts from 'typescript'
import { createProgram } from '../cli/main.ts'
import { processIo } from '../cli/process-io.ts'
import { fullFolders, linesOf, sources, type Source } from './house/sources.ts'

/** Each word with its forms. Only such as nobody needs in another sense; the glossary says what stands in their place. */
const retired: Readonly<Record<string, readonly string[]>> = {
  story: ['stories'],
  tell: ['tells', 'told', 'telling'],
  play: ['plays', 'played', 'player', 'players', 'playing'],
  stage: ['stages', 'scene', 'arrange', 'arranged'],
  world: ['worlds', 'resident', 'residents', 'reception', 'lobby'],
  deviation: ['deviations', 'oddity', 'oddities'],
  disturbance: ['disturbances', 'disturb', 'disturbed'],
  ladder: ['ladders', 'rung', 'rungs', 'climb', 'climbs', 'climbed'],
  witness: ['witnesses', 'refutes'],
  patience: [],
  keeper: ['keepers', 'shelf', 'shelves'],
  door: ['doors', 'knock', 'knocks', 'crowd'],
  office: ['parcel', 'parcels', 'pump'],
  letterhead: ['docket', 'dockets', 'exhibit', 'exhibits'],
  equipment: ['desk', 'desks'],
  heard: ['mend', 'mended', 'undone', 'spell', 'spells', 'spelt', 'spelling', 'spellings'],
  musts: ['shoulds'],
}

const wordOf = new Map(
  Object.entries(retired).flatMap(([word, forms]) => [word, ...forms].map((form) => [form, word] as const)),
)

/** `toldBefore`, `told_before` and `Told` all have the word `told`. */
const parts = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/** How often each retired word stands in these texts, in the order of the table. */
function retiredWords(files: readonly Source[]): ReadonlyMap<string, number> {
  const counts = new Map(Object.keys(retired).map((word) => [word, 0]))
  for (const { text } of files)
    for (const [part] of text.matchAll(parts)) {
      const word = wordOf.get(part.toLowerCase())
      if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  return counts
}

/** The files in which they stand most often. */
function worst(files: readonly Source[], most: number): readonly (readonly [string, number])[] {
  return files
    .map(
      (file) =>
        [
          file.path,
          retiredWords([file])
            .values()
            .reduce((sum, count) => sum + count, 0),
        ] as const,
    )
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** A scenario is addressed by its file and its name: `events` of one file is not that of another. */
const isScenario = (declared: ts.VariableDeclaration): boolean =>
  declared.initializer !== undefined &&
  ts.isCallExpression(declared.initializer) &&
  /scenario|offering/i.test(declared.initializer.expression.getText())

function namesOf(statement: ts.Statement): string[] {
  if (!isExported(statement)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((declared) =>
      ts.isIdentifier(declared.name) && !isScenario(declared) ? [declared.name.text] : [],
    )
  const { name } = statement as ts.DeclarationStatement
  return name && ts.isIdentifier(name) ? [name.text] : []
}

function exportsOf({ path, text }: Source): readonly string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return [...new Set(statements.flatMap(namesOf))]
}

/** Each such name with the modules that define it, the most frequent first. */
function definedTwice(files: readonly Source[]): readonly (readonly [string, readonly string[]])[] {
  const places = files.flatMap((file) => exportsOf(file).map((name) => ({ name, path: file.path })))
  return [...Map.groupBy(places, ({ name }) => name)]
    .filter(([, at]) => at.length > 1)
    .map(([name, at]) => [name, at.map(({ path }) => path)] as const)
    .sort(([, one], [, other]) => other.length - one.length)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const limitsFile = new URL('house/limits.json', import.meta.url)

const code = sources(root, ['.ts', '.tsx', '.py', '.cjs']).filter(({ path }) => !path.endsWith('.d.ts'))
const modules = code.filter(({ path, kind }) => /\.tsx?$/.test(path) && kind !== 'generated')
const production = code.filter(({ path, kind }) => kind === 'production' && !path.endsWith('.cjs'))
const prose = sources(root, ['.md']).filter(({ kind }) => kind !== 'generated')
const settings = sources(root, ['.yaml', '.json']).filter(({ kind }) => kind !== 'generated')
const readable = [...modules, ...prose, ...settings]
/** Where the retired words are listed. */
const glossary = /^(scripts\/house(\/|\.ts$)|docs\/glossary\.md$)/

const groups = cycles(modules)
const names = definedTwice(production.filter(({ path }) => /^(?!console|kits).*\.ts$/.test(path)))
const folders = fullFolders(modules)
const words = retiredWords(readable.filter(({ path }) => !glossary.test(path)))

const linesUnder = (room: string): number => linesOf(production.filter(({ path }) => path.startsWith(room)))

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const atTop = new Set(listed.split('\n').flatMap((path) => path.split('/')[0] || []))
const commands = createProgram({ io: processIo(), end: () => {} }).commands

const figures: Readonly<Record<string, number>> = {
  'lines of production code': linesOf(production),
  '  of the console': linesUnder('console/'),
  '  of kits': linesUnder('kits/'),
  '  of the action': linesUnder('kits/action/'),
  '  of benchmarks': linesUnder('bench/'),
  'files of production code': production.length,
  'files of at most 30 lines': production.filter(({ text }) => text.split('\n').length <= 31).length,
  'lines of tests and rigs': linesOf(code.filter(({ kind }) => kind === 'test')),
  'words of docs': prose.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0),
  'entries at the top': [...atTop].filter((name) => !name.startsWith('.')).length,
  // With `help`.
  commands: commands.length,
  'modules in cycles': groups.flat().length,
  'folders with more than 25 files': folders.length,
  'names defined in more than one module': names.length,
  ...Object.fromEntries([...words].map(([word, count]) => [`retired: ${word}`, count])),
}

const lists: Readonly<Record<string, () => readonly string[]>> = {
  cycles: () => groups.map((group) => `${group.length}: ${group.toSorted().join(' ')}`),
  folders: () => folders,
  names: () => names.map(([name, at]) => `${at.length} ${name}: ${at.join(' ')}`),
  words: () => worst(readable, 60).map(([path, count]) => `${count} ${path}`),
}

function printed(limits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(figures)) {
    const limit = limits[name] ?? Infinity
    const words = value > limit ? `above its limit of ${limit}` : ''
    console.log(`${String(value).padStart(8)}  ${name.padEnd(40)}${words}`.trimEnd())
  }
}

const [option, list] = process.argv.slice(2)
const limits = JSON.parse(readFileSync(limitsFile, 'utf8')) as Record<string, number>
if (option === '--list') {
  const lines = lists[list ?? '']
  if (!lines) throw new Error(`--list takes one of ${Object.keys(lists).join(', ')}`)
  console.log(lines().join('\n'))
} else {
  printed(limits)
  const above = Object.entries(figures).filter(([name, value]) => value > (limits[name] ?? Infinity))
  if (option === '--lower') {
    const lower = Object.entries(limits).map(([name, limit]) => [name, Math.min(limit, figures[name] ?? 0)])
    writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`)
  } else if (option === '--check' && above.length > 0) {
    console.error(
      `${above.length} figures are above their limits; npm run house -- --list words, names, cycles or folders shows where`,
    )
    process.exitCode = 1
  }
}

function importsOf({ path, text }: Source): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(dirname(path), fileName))
}

/** Strongly connected components with more than one module, largest first (Tarjan). */
function cycles(files: readonly Source[]): readonly (readonly string[])[] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file)]))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    low.set(path, order.size - 1)
    open.push(path)
    for (const next of graph.get(path) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (open.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(path) !== order.get(path)) return
    const group = open.splice(open.indexOf(path))
    if (group.length > 1) found.push(group)
  }
  for (const path of graph.keys()) if (!order.has(path)) visit(path)
  return found.sort((one, other) => other.length - one.length)
}
