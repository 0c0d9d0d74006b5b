/** The commands of docs/shards.md end as it says, and its pipelines run all shards and merge them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { run } from '../../cli/process.testkit.ts'

const page = readFileSync(new URL('../../docs/shards.md', import.meta.url), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shards-page-'))
  process.chdir(folder)
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

test('the commands on the page end as it says, one after the other', async () => {
  const lines = blocks('sh').flatMap((block) => block.trimEnd().split('\n'))
  expect(lines).toHaveLength(7)
  for (const line of lines) {
    const [, command = '', code] = /^npx @touchstone-suite\/touchstone (.*) # exit (\d+)$/.exec(line) ?? []
    const { err, ...ended } = await run(command.replaceAll("'", '').split(' '))
    expect([line, ended.code], err).toEqual([line, Number(code)])
  }
})

interface Jobs {
  shard: { strategy: { matrix: { shard: readonly number[] } }; steps: readonly { run?: string }[] }
  merge: { needs: string; steps: readonly { run?: string }[] }
}

interface Pipeline {
  shard: { parallel: number; script: readonly string[] }
  merge: { needs: readonly string[]; script: readonly string[] }
}

test('both pipelines run every shard with one seed, each into a folder that merge is given', () => {
  const [github, gitlab] = blocks('yaml').map((text): unknown => parse(text))
  const { jobs } = github as { jobs: Jobs }
  const { shard, merge } = gitlab as Pipeline
  const commands = (steps: readonly { run?: string }[]): string => steps.map((step) => step.run).join('\n')
  const shards = jobs.shard.strategy.matrix.shard
  expect(shards).toEqual([1, 2, 3, 4])
  expect(commands(jobs.shard.steps)).toContain(`--shard \${{ matrix.shard }}/${shards.length} --seed `)
  expect(commands(jobs.merge.steps)).toContain('touchstone merge shards/*')
  expect(jobs.merge.needs).toBe('shard')
  expect(shard.parallel).toBe(4)
  expect(shard.script.join('\n')).toContain('--shard $CI_NODE_INDEX/$CI_NODE_TOTAL --seed ')
  expect(merge.script.join('\n')).toContain('touchstone merge shards/*')
  expect(merge.needs).toEqual(['shard'])
})
