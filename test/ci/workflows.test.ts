/** The workflows of this repository, and what a publisher fills in. `npm run lab -- documents` lints them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { copySources } from '../../scripts/package/pack-copy.ts'
import { textOf } from './job.testkit.ts'

test('this repository runs its CI on every version of Node.js that it supports', () => {
  const { jobs } = parse(textOf('.github/workflows/ci.yml')) as {
    jobs: { run: { strategy: { matrix: object }; steps: { run?: string }[] } }
  }
  expect(jobs.run.strategy.matrix).toEqual({ node: [22, 24, 26] })
  expect(jobs.run.steps.at(-1)?.run).toBe('.ci/run')
})

/** A folder that Git takes for github.com, with the cache action and its tag; nothing else is there. */
function standIn(folder: string): { commit: string; env: NodeJS.ProcessEnv } {
  const action = join(folder, 'actions/cache')
  mkdirSync(action, { recursive: true })
  const git = (...words: string[]) => execFileSync('git', words, { cwd: action, encoding: 'utf8' })
  git('init', '-q')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-q', '--allow-empty', '-m', 'one')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'tag', '-a', 'v6', '-m', 'six')
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${folder}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/',
  }
  return { commit: git('rev-parse', 'HEAD').trim(), env }
}

test('release:prepare writes the address and the commits of actions, and says what it could not read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-publisher-'))
  try {
    const copy = join(folder, 'sources')
    copySources(copy)
    const { commit, env } = standIn(join(folder, 'github'))
    const prepare = (repository: string) =>
      spawnSync(process.execPath, ['scripts/release-prepare.ts', '--repository', repository], {
        cwd: copy,
        env,
        encoding: 'utf8',
      })
    expect(prepare('git@github.com:some/one.git').status).toBe(2)
    const { status, stderr } = prepare('https://github.com/some/one.git')
    expect([status, stderr]).toEqual([0, ''])
    const written = (path: string) => readFileSync(join(copy, path), 'utf8')
    expect(written('scripts/build/publisher.json')).toContain('"https://github.com/some/one"')
    expect(written('examples/ci/github-actions.yml')).toContain('uses: some/one@v1')
    expect(written('action.yml')).toContain(`uses: actions/cache/restore@${commit} # v6`)

    rmSync(join(folder, 'github'), { recursive: true })
    copySources(copy)
    const offline = prepare('https://github.com/some/one')
    expect([offline.status, offline.stderr]).toEqual([1, expect.stringContaining('actions/cache/save@v6')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
