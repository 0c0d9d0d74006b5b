import { expect, test } from 'vitest'
import { ciSystems, originOf } from './origin.ts'

const machine = () => ({ actor: 'ada', host: 'laptop' })

/** What the documentation of each system shows as examples of its variables. */
const environments: Readonly<Record<string, string>> = {
  'GitHub Actions': `
    GITHUB_ACTIONS=true; GITHUB_WORKFLOW=release; GITHUB_JOB=gate; GITHUB_SERVER_URL=https://github.com;
    GITHUB_REPOSITORY=octo-org/chat; GITHUB_RUN_ID=1658821493;
    GITHUB_SHA=ffac537e6cbbf934b08745a378932722df287a53; GITHUB_HEAD_REF=; GITHUB_REF_NAME=main;
    GITHUB_ACTOR=octocat; RUNNER_NAME=Hosted Agent`,
  'GitLab CI': `
    GITLAB_CI=true; CI_PROJECT_PATH=group/chat; CI_JOB_NAME=gate;
    CI_JOB_URL=https://gitlab.example.com/group/chat/-/jobs/50;
    CI_COMMIT_SHA=1ecfd275763eff1d6b4844ea3168962458c9f27a; CI_COMMIT_REF_NAME=main; GITLAB_USER_LOGIN=jdoe;
    CI_RUNNER_DESCRIPTION=my runner`,
  Buildkite: `
    BUILDKITE=true; BUILDKITE_PIPELINE_SLUG=chat;
    BUILDKITE_BUILD_URL=https://buildkite.com/acme-inc/chat/builds/1514; BUILDKITE_JOB_ID=e44f9784;
    BUILDKITE_COMMIT=83a20ec058e2fb00e7fa4558c4c6e81e2dcf253d; BUILDKITE_BRANCH=main;
    BUILDKITE_BUILD_CREATOR=Keith Pitt; BUILDKITE_AGENT_NAME=elastic-builders-1`,
  CircleCI: `
    CIRCLECI=true; CIRCLE_JOB=gate; CIRCLE_BUILD_URL=https://circleci.com/gh/acme/chat/170;
    CIRCLE_SHA1=e1b5d17; CIRCLE_BRANCH=main; CIRCLE_USERNAME=octocat`,
  'Azure Pipelines': `
    TF_BUILD=True; BUILD_DEFINITIONNAME=release; SYSTEM_COLLECTIONURI=https://dev.azure.com/fabrikamfiber/;
    SYSTEM_TEAMPROJECT=Chat Service; BUILD_BUILDID=42; BUILD_SOURCEVERSION=83a20ec;
    BUILD_SOURCEBRANCH=refs/heads/main; BUILD_REQUESTEDFOR=Ada Lovelace; AGENT_NAME=Azure Pipelines 2`,
  Jenkins: `
    JENKINS_URL=https://jenkins.example/; JOB_NAME=chat/main; BUILD_NUMBER=7;
    BUILD_URL=https://jenkins.example/job/chat/7/; GIT_COMMIT=83a20ec; GIT_BRANCH=origin/main;
    BUILD_USER_ID=ada; NODE_NAME=built-in`,
}
const environmentOf = (system: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (environments[system] ?? '').split(';').map((one) => one.trim().split('=') as [string, string]),
  )

const urls: Readonly<Record<string, string>> = {
  'GitHub Actions': 'https://github.com/octo-org/chat/actions/runs/1658821493',
  'GitLab CI': 'https://gitlab.example.com/group/chat/-/jobs/50',
  Buildkite: 'https://buildkite.com/acme-inc/chat/builds/1514#e44f9784',
  CircleCI: 'https://circleci.com/gh/acme/chat/170',
  'Azure Pipelines': 'https://dev.azure.com/fabrikamfiber/Chat%20Service/_build/results?buildId=42',
  Jenkins: 'https://jenkins.example/job/chat/7/',
}

test.for(ciSystems)('$name names the job, its URL, the commit, the branch and who started it', ({ name }) => {
  const origin = originOf(environmentOf(name), machine)
  expect(origin).toMatchObject({ ci: name, url: urls[name] })
  for (const field of ['job', 'commit', 'branch', 'actor'] as const) expect(origin[field], field).toBeTruthy()
  expect(origin.host !== undefined).toBe(name !== 'CircleCI')
})

test('an address loses user, password, query and fragment, and is left out where it is not of the web', () => {
  const origin = (url: string) => originOf({ ...environmentOf('Jenkins'), BUILD_URL: url }, machine).url
  expect(origin('https://ada:secret@jenkins.example/job/7/?token=secret#secret')).toBe(
    'https://jenkins.example/job/7/',
  )
  expect(origin('javascript:alert(1)')).toBeUndefined()
  expect(origin('')).toBeUndefined()
})
