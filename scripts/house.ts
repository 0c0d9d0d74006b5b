/**
 * Measures the code base: lines, files, words, commands, folders, cycles, names defined twice, retired words. With
 * `--check` it fails where a figure is above its limit in scripts/house/limits.json; with `--lower` it lowers the limits
 * to the figures, and nothing raises one; with `--list NAME` it lists what a figure counts. Figures without a limit are
 * only printed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createProgram } from '../cli/main.ts'
import { processIo } from '../cli/process-io.ts'
import { cycles } from './house/cycles.ts'
import { definedTwice } from './house/names.ts'
import { fullFolders, linesOf, sources } from './house/sources.ts'
import { retiredWords, worst } from './house/words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const limitsFile = new URL('house/limits.json', import.meta.url)

const code = sources(root, ['.ts', '.tsx', '.py', '.cjs']).filter(({ path }) => !path.endsWith('.d.ts'))
const modules = code.filter(({ path, kind }) => /\.tsx?$/.test(path) && kind !== 'generated')
const production = code.filter(({ path, kind }) => kind === 'production' && !path.endsWith('.cjs'))
const prose = sources(root, ['.md']).filter(({ kind }) => kind !== 'generated')
const settings = sources(root, ['.yaml', '.json']).filter(({ kind }) => kind !== 'generated')
const readable = [...modules, ...prose, ...settings]
const isSmall = ({ text }: { text: string }): boolean => text.split('\n').length <= 31

/** Where the retired words are listed. */
const glossary = /^(scripts\/house\/|docs\/glossary\.md$)/

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
const commands = createProgram({ io: processIo(), formats: [], end: () => {} }).commands

const figures: Readonly<Record<string, number>> = {
  'lines of production code': linesOf(production),
  '  of the console': linesUnder('console/'),
  '  of kits': linesUnder('kits/'),
  '  of the action': linesUnder('kits/action/'),
  '  of benchmarks': linesUnder('bench/'),
  'files of production code': production.length,
  'files of at most 30 lines': production.filter(isSmall).length,
  'lines of tests and rigs': linesOf(code.filter(({ kind }) => kind === 'test')),
  'words of docs': prose.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0),
  'entries at the top': [...atTop].filter((name) => !name.startsWith('.')).length,
  // With `help`.
  commands: commands.length + 1,
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
