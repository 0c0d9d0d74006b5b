/** action.yml is run step by step, against a service and the REST API of GitHub on loopback. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runAction, type ActionRun, type Event } from './composite.testkit.ts'
import { endJobs, layEarlierReport, startJob, type Job } from './job.testkit.ts'
import { comment, startRestApi, type RestApi } from './rest-api.testkit.ts'

afterAll(endJobs)

const push: Event = { name: 'push', payload: {} }
const pullRequest: Event = { name: 'pull_request', payload: { pull_request: { number: 7 } } }

/** A service that is given by its address. */
const inputsFor = ({ env }: Job) => ({
  'base-url': env['SERVICE_BASE_URL'] ?? '',
  'api-key': 'env:SERVICE_API_KEY',
  agent: env['SERVICE_AGENT'] ?? '',
  arguments: '--max-minutes\n5',
  comment: 'true',
})

const withApi = (job: Job, { url }: RestApi): Job => ({ ...job, env: { ...job.env, GITHUB_API_URL: url } })
const cached = ({ used }: ActionRun): boolean => used.includes('actions/cache/save')
const uploaded = ({ folder }: Job): string => join(folder, '.runner/artifacts/touchstone-report')

/** The same job against another service. */
async function against(job: Job, ...options: string[]): Promise<Job> {
  const { env } = await startJob(...options)
  const { SERVICE_BASE_URL = '', SERVICE_API_KEY = '', SERVICE_AGENT = '' } = env
  return { ...job, env: { ...job.env, SERVICE_BASE_URL, SERVICE_API_KEY, SERVICE_AGENT } }
}

describe.concurrent('the action', () => {
  test('compares a pull request with the branch, and updates one comment', async ({ expect }) => {
    await using api = await startRestApi()
    // A page of comments of others, one of whom has copied the marker.
    api.comments.push(...Array.from({ length: 100 }, (_, at) => comment(at + 1, 'Looks good', 'User')))
    api.comments[50] = comment(51, '<!-- touchstone: touchstone-report -->\nAll is well', 'User')
    const job = withApi(await startJob(), api)

    const onBranch = await runAction(job, push, inputsFor(job))
    expect(onBranch, onBranch.log).toMatchObject({
      failed: false,
      outputs: {
        conformance: 'partial',
        gate: 'passed',
        'exit-code': '0',
        failed: '0',
        passed: '7',
        skipped: '0',
      },
    })
    expect([cached(onBranch), api.requests]).toEqual([true, []])
    expect(onBranch.page).toBe(readFileSync(join(job.folder, 'touchstone-report/summary.md'), 'utf8'))

    const faulty = await against(job, '--fault', 'replay-unmarked')
    const broken = await runAction(faulty, pullRequest, inputsFor(faulty))
    expect(broken, broken.log).toMatchObject({
      failed: true,
      outputs: { conformance: 'nonconformant', gate: 'failed', 'exit-code': '1', failed: '1', passed: '6' },
    })
    expect(cached(broken)).toBe(false)
    expect(broken.log).toContain('::error title=IDEM-REPLAY-HEADER::')
    expect(readFileSync(join(uploaded(job), 'junit.xml'), 'utf8')).toContain('<failure')
    expect(broken.outputs['report']).toBe(join(job.folder, 'touchstone-report'))
    const written = api.comments.at(-1)?.body ?? ''
    expect(written).toContain('1 regressed')
    expect(written).toContain('https://github.example/artifacts/touchstone-report')

    const fixed = await runAction(job, pullRequest, inputsFor(job))
    expect([fixed.failed, cached(fixed)]).toEqual([false, false])
    expect(api.comments).toHaveLength(101)
    expect(api.comments.at(-1)?.body).toContain('gate passed')
    expect(api.requests.filter((one) => !one.startsWith('GET'))).toEqual([
      'POST /repos/acme/service/issues/7/comments',
      'PATCH /repos/acme/service/issues/comments/101',
    ])
  })

  test('says how to permit the comment, and leaves the gate as it is', async ({ expect }) => {
    await using api = await startRestApi({ readOnly: true })
    const job = withApi(await startJob(), api)
    const { failed, log } = await runAction(job, pullRequest, inputsFor(job))
    expect(failed).toBe(false)
    expect(log).toMatch(/::warning .*returned 403; give the job `permissions: .*pull-requests: write/)
    expect(api.comments).toEqual([])
  })

  test('uploads no report of an earlier run when the key is wrong', async ({ expect }) => {
    await using api = await startRestApi()
    const job = withApi(await startJob(), api)
    await layEarlierReport(join(job.folder, 'touchstone-report'))
    const wrong = { ...job, env: { ...job.env, SERVICE_API_KEY: 'sk-unknown' } }
    const { failed, outputs, page } = await runAction(wrong, pullRequest, inputsFor(job))
    expect([failed, outputs['exit-code'], outputs['report']]).toEqual([true, '2', ''])
    expect(existsSync(uploaded(job))).toBe(false)
    for (const shown of [page, api.comments[0]?.body]) expect(shown).toContain('Exit code 2')
  })
})

test('what npm cannot run has no exit code that says something of the target', async () => {
  const job = await startJob()
  const offline = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }
  const cut = { ...job, env: { ...job.env, ...offline } }
  const inputs = { ...inputsFor(job), version: '99.0.0', comment: 'false' }
  const { failed, outputs, page, log } = await runAction(cut, push, inputs)
  expect([failed, outputs['exit-code'], outputs['gate']]).toEqual([true, '', 'failed'])
  for (const shown of [page, log]) expect(shown).toMatch(/npm could not run \S+@99\.0\.0/)
})

test('an input is an argument, and no shell reads it', async () => {
  const job = await startJob()
  const hostile = {
    ...inputsFor(job),
    'base-url': '"; touch harmed #',
    target: '$(touch harmed)',
    comment: 'false',
  }
  const { failed, outputs } = await runAction(job, push, hostile)
  expect([failed, outputs['exit-code'], existsSync(join(job.folder, 'harmed'))]).toEqual([true, '2', false])
})
