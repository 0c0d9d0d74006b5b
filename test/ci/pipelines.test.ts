/** The commands that docs/ci.md gives for other systems, run in a shell, each against a simulator of its own. */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { action } from './composite.testkit.ts'
import {
  endJobs,
  layEarlierReport,
  published,
  shell,
  startJobWithTarget,
  textOf,
  type Job,
} from './job.testkit.ts'

afterAll(endJobs)

interface GitHub {
  jobs: { contract: { env: object; steps: { uses?: string; with?: object }[] } }
}

interface GitLab {
  contract: { script: string[]; artifacts: { reports: { junit: string } } }
}

const page = textOf('docs/ci.md')

/** The only block of the page in this language that has these words. */
const block = (language: string, words: string): string =>
  [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].find(
    ([, found, text = '']) => found === language && text.includes(words),
  )?.[2] ?? ''

const gitlab = (parse(block('yaml', '.gitlab-ci.yml')) as GitLab).contract
/** The package of a job where npm finds it and has not installed it. */
function packed({ folder, env }: Job): Job {
  renameSync(join(folder, 'node_modules', published.name), join(folder, 'package'))
  rmSync(join(folder, 'node_modules'), { recursive: true })
  return { folder, env: { ...env, TOUCHSTONE: './package' } }
}

const scripts = { GitLab: gitlab.script.join('\n'), 'any system': block('sh', 'npm install') }

describe.concurrent('the commands for', () => {
  test.for(Object.entries(scripts))(
    '%s pass, leave their reports and compare with the last run that passed',
    async ([name, script], { expect }) => {
      const { folder, env } = packed(await startJobWithTarget())
      const isFirst = name === 'GitLab'
      if (!isFirst) await layEarlierReport(join(folder, 'last-passed'))
      const { code, text } = await shell(script, folder, env)
      expect(code, text).toBe(0)
      const report = (file: string) => readFileSync(join(folder, 'touchstone-report', file), 'utf8')
      expect(report('junit.xml')).toContain('<testsuites')
      expect(report('run.json') + report('junit.xml')).not.toContain(env['SERVICE_API_KEY'])
      expect(existsSync(join(folder, 'touchstone-report/changes.json'))).toBe(!isFirst)
      expect(readFileSync(join(folder, 'last-passed/run.json'), 'utf8')).toBe(report('run.json'))
    },
  )

  test('GitLab end with 1 when the service breaks a MUST clause, and keep no run as passed', async ({
    expect,
  }) => {
    const { folder, env } = packed(await startJobWithTarget('--fault', 'replay-unmarked'))
    const { code } = await shell(scripts.GitLab, folder, env)
    expect([code, existsSync(join(folder, 'last-passed'))]).toEqual([1, false])
    expect(readFileSync(join(folder, gitlab.artifacts.reports.junit), 'utf8')).toContain('<failure')
  })
})

test('the example for GitHub runs the action with inputs that it has, and the variables that init asks for', () => {
  const { env, steps } = (parse(textOf('examples/ci/github-actions.yml')) as GitHub).jobs.contract
  const { uses, with: inputs = {} } = steps.at(-1) ?? {}
  expect(uses).toBe('OWNER/touchstone@v1')
  expect(Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([])
  expect(Object.keys(env)).toEqual(['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'SERVICE_AGENT'])
})
