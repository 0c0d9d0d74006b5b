/** The steps of every other platform, run as they stand in a shell, each against a simulator of its own. */
import { existsSync, readFileSync } from 'node:fs'
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
  type Environment,
} from './job.testkit.ts'
import { exampleInputs, expandComponent } from './gitlab.testkit.ts'

afterAll(endJobs)

interface Pipeline {
  /** Each in a shell of its own. */
  steps: readonly string[]
  env?: Environment
  /** Where the steps look for the report of the last passing run. */
  lastPassed: string
}

interface GitHub {
  jobs: { contract: { env: Environment; steps: { uses?: string; with?: object }[] } }
}

interface CircleCi {
  jobs: { contract: { steps: ({ run?: string | { command: string } } | string)[] } }
}

function circleCi(): Pipeline {
  const { steps } = (parse(textOf('examples/ci/circleci.yml')) as CircleCi).jobs.contract
  const commands = steps.map((step) => (typeof step === 'string' ? undefined : step.run))
  return {
    steps: commands.flatMap((run) => (typeof run === 'object' ? run.command : (run ?? []))),
    lastPassed: 'last-passed',
  }
}

function azure(): Pipeline {
  const { steps } = parse(textOf('examples/ci/azure-pipelines.yml')) as { steps: { bash?: string }[] }
  return { steps: steps.flatMap(({ bash }) => bash ?? []), lastPassed: 'last-passed' }
}

/** The script of the shared step, with what the step puts into its variables for the example. */
function jenkins(): Pipeline {
  const [, script = ''] = /script: '''(.*?)'''/s.exec(textOf('vars/touchstone.groovy')) ?? []
  const env = {
    CHECK_PACKAGE: `${published.name}@${published.version}`,
    CHECK_TARGET: 'touchstone.yaml',
    CHECK_PROFILE: 'smoke',
    CHECK_ARGUMENTS: '',
  }
  return { steps: [script], env, lastPassed: 'last-passed/touchstone-report' }
}

const gitlab = expandComponent(exampleInputs())['contract']
const gitlabSteps: Pipeline = { steps: gitlab?.script ?? [], lastPassed: 'last-passed' }

const pipelines = { GitLab: gitlabSteps, Jenkins: jenkins(), CircleCI: circleCi(), Azure: azure() }

async function run({ steps, env = {} }: Pipeline, folder: string, variables: Environment) {
  let text = ''
  for (const step of steps) {
    const ended = await shell(step, folder, { ...variables, ...env })
    text += ended.text
    if (ended.code !== 0) return { code: ended.code, text }
  }
  return { code: 0, text }
}

describe.concurrent('the steps of', () => {
  test.for(Object.entries(pipelines))(
    '%s pass, and leave their reports',
    async ([name, pipeline], { expect }) => {
      const { folder, env } = await startJobWithTarget()
      const isFirst = name === 'GitLab'
      if (!isFirst) await layEarlierReport(join(folder, pipeline.lastPassed))
      const { code, text } = await run(pipeline, folder, env)
      expect(code, text).toBe(0)
      const report = (file: string) => readFileSync(join(folder, 'touchstone-report', file), 'utf8')
      expect(report('junit.xml')).toContain('<testsuites')
      expect(JSON.parse(report('run.json'))).toMatchObject({
        target: { name: 'my-service' },
        run: { profile: 'smoke' },
      })
      expect(report('run.json') + report('junit.xml')).not.toContain(env['SERVICE_API_KEY'])
      expect(existsSync(join(folder, 'touchstone-report/changes.json'))).toBe(!isFirst)
      // Jenkins takes the report from the archive of the last build.
      if (name !== 'Jenkins')
        expect(readFileSync(join(folder, 'last-passed/run.json'), 'utf8')).toBe(report('run.json'))
    },
  )

  test('GitLab end with 1 when the service breaks a MUST clause, and keep the last passing run', async ({
    expect,
  }) => {
    const { folder, env } = await startJobWithTarget('--fault', 'replay-unmarked')
    const { code } = await run(gitlabSteps, folder, env)
    expect([code, existsSync(join(folder, 'last-passed'))]).toEqual([1, false])
    expect(readFileSync(join(folder, gitlab?.artifacts.reports.junit ?? ''), 'utf8')).toContain('<failure')
  })

  test('Jenkins delete an earlier report before they check, so that none is published twice', async ({
    expect,
  }) => {
    const { folder, env } = await startJobWithTarget()
    await layEarlierReport(join(folder, 'touchstone-report'))
    const { code } = await run(pipelines.Jenkins, folder, { ...env, SERVICE_API_KEY: 'sk-unknown' })
    expect([code, existsSync(join(folder, 'touchstone-report'))]).toEqual([2, false])
  })
})

test('the example for GitHub runs the action with inputs that it has, and the variables that init asks for', () => {
  const { env, steps } = (parse(textOf('examples/ci/github-actions.yml')) as GitHub).jobs.contract
  const { uses, with: inputs = {} } = steps.at(-1) ?? {}
  expect(uses).toBe('OWNER/touchstone@v1')
  expect(Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([])
  expect(Object.keys(env)).toEqual(['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'SERVICE_AGENT'])
})

test('the reports are kept after a failure, too', () => {
  expect(gitlab?.artifacts).toEqual({
    when: 'always',
    paths: ['touchstone-report/'],
    reports: { junit: 'touchstone-report/junit.xml' },
  })
  expect(gitlab?.cache).toMatchObject([{ paths: ['last-passed/'], when: 'on_success' }])
})

test('every platform runs the published package in this version', () => {
  const files = [
    'templates/touchstone.yml',
    'vars/touchstone.groovy',
    'examples/ci/circleci.yml',
    'examples/ci/azure-pipelines.yml',
  ]
  for (const file of files)
    expect([file, textOf(file)]).toEqual([file, expect.stringContaining(published.version)])
  const names = files.map((file) => textOf(file).match(/@[\w-]+\/touchstone(?=@)/)?.[0])
  expect(names).toEqual(files.map(() => published.name))
})
