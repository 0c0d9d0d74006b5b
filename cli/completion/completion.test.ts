import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultIds } from '../../simulator/index.ts'
import { candidates, type CommandNode } from './candidates.ts'
import { completionLines } from './complete.ts'
import { completionScripts, type ShellName } from './scripts.ts'
import { completionFile, completionTable } from './table.ts'

const table = completionTable()
const found = (line: string): readonly string[] => candidates(line.split(' '), table).map(([word]) => word)

test.for<[line: string, words: readonly string[]]>([
  ['simul', ['simulate']],
  ['--v', ['--version']],
  ['fault o', ['on', 'off']],
  ['help chec', ['check']],
  ['check --profi', ['--profile']],
  ['check --profile s', ['smoke', 'standard']],
  ['check --profile=sm', ['--profile=smoke']],
  ['check simulator --fault replay-unm', ['replay-unmarked']],
  ['check simulator --fault x,replay-unm', ['x,replay-unmarked']],
  ['simulate --open --situation expired-b', ['expired-button']],
  ['interpret GAP-IDENTICAL=c', ['GAP-IDENTICAL=conflict']],
  ['fault on replay-unmarked replay-unm', ['replay-unmarked']],
  ['check --only IDEM-REPLAY-H', ['IDEM-REPLAY-HEADER']],
  ['trigger leads.', ['leads.submit']],
  ['pause pla', ['plain']],
  ['completion z', ['zsh']],
  ['report --format mark', ['markdown']],
  // Of these, the shell completes file names.
  ['check touch', []],
  ['check --policy ', []],
  ['exec -- check --pro', []],
])('completes %s', ([line, words]) => {
  expect(found(line)).toEqual(words)
})

test('every kind of names is accepted somewhere', () => {
  const kinds = ({ options, arguments: given, commands }: CommandNode): readonly unknown[] => [
    ...options.map(({ value }) => value),
    ...given,
    ...Object.values(commands).flatMap(kinds),
  ]
  const named = kinds(table.root).filter((kind) => typeof kind === 'string')
  const lists = completionFile().split('\n').slice(1)
  expect(new Set(named)).toEqual(new Set(lists.map((line) => line.split(' ')[0])))
  expect(found('simulate --fault ')).toEqual(faultIds)
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-completion-'))
  const file = join(folder, 'completion.txt')
  writeFileSync(file, completionFile())
  const module = new URL('complete.ts', import.meta.url).href
  const program = `import { completionLines } from '${module}'
process.stdout.write(await completionLines(process.argv.slice(2), '${file}'))`
  writeFileSync(
    join(folder, 'touchstone'),
    `#!/bin/sh\nexec '${process.execPath}' --input-type=module -e "${program}" -- "$@"\n`,
  )
  chmodSync(join(folder, 'touchstone'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the package reads a file instead of loading the commands', async () => {
  const file = join(folder, 'completion.txt')
  expect(await completionLines(['fault', 'on', 'replay-unm'], file)).toMatch(
    /^replay-unmarked\tA replay .*\n$/,
  )
  expect(await completionLines(['tai'], file)).toBe('tail\tprint requests as they happen\n')
})

/** Prints the first candidate for LINE, and what follows it. */
const shells: readonly (readonly [
  shell: ShellName,
  options: readonly string[],
  before: string,
  after: string,
])[] = [
  ['bash', ['--norc'], '', 'COMP_LINE=$LINE; COMP_POINT=${#LINE}; _touchstone; echo "${COMPREPLY[0]}"'],
  [
    'zsh',
    ['-f'],
    'compdef() { }',
    '_describe() { print -- "${found[1]}" }; words=(${=LINE}); CURRENT=$#words; _touchstone',
  ],
  ['fish', ['--no-config'], '', 'complete -C "$LINE"'],
]

test.for(shells)('%s completes words', ([shell, options, before, after], { skip }) => {
  const program = `${before}\n${completionScripts[shell]}\n${after}`
  const words = ['replay-unmarked', 'GAP-IDENTICAL=conflict']
  const completed = ['touchstone fault on replay-unm', 'touchstone interpret GAP-IDENTICAL=c'].map((line) => {
    const env = { PATH: `${folder}:${process.env['PATH']}`, LINE: line, HOME: folder }
    const { stdout, error } = spawnSync(shell, [...options, '-c', program], { encoding: 'utf8', env })
    if (error && 'code' in error && error.code === 'ENOENT') skip(`${shell} is not installed`)
    return /^[\w=-]*/.exec(stdout)?.[0]
  })
  // Bash replaces only what follows the last =.
  expect(completed).toEqual(shell === 'bash' ? words.map((word) => word.replace(/.*=/, '')) : words)
})
