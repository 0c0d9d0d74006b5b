/** The steps of every other platform, run as they stand in a shell, each against a simulator of its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { action, runAction } from './composite.testkit.ts'
import { endJobs, published, shell, startJobWithTarget, textOf, type Environment } from './job.testkit.ts'
import { expandComponent } from './gitlab.testkit.ts'

afterAll(endJobs)

interface Pipeline {
  /** Each in a shell of its own. */
  steps: readonly string[]
  env?: Environment
  /** Where the steps look for the report of the last passing run. */
  lastPassed: string
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

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-gitlab-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const pipelines: Record<string, Pipeline> = { CircleCI: circleCi(), Azure: azure(), Jenkins: jenkins() }

async function run({ steps, env = {} }: Pipeline, folder: string, variables: Environment) {
  let text = ''
  for (const step of steps) {
    const ended = await shell(step, folder, { ...variables, ...env })
    text += ended.text
    if (ended.code !== 0) return { code: ended.code, text }
  }
  return { code: 0, text }
}
