/** Who starts a run, and where: from the variables that CI systems set, else the user and the machine. */
import { hostname, userInfo } from 'node:os'
import type { RunOrigin } from '../../bundle/record.ts'

/** Templates over environment variables; the first of which all variables are set counts. */
type Templates = Readonly<Record<Exclude<keyof RunOrigin, 'ci' | 'command'>, readonly string[]>>

/**
 * From the documentation of each system; `detect` is set in every job of it. More specific ones come first: GitLab and
 * Buildkite can run below Jenkins.
 */
export const ciSystems: readonly (Templates & { name: string; detect: string })[] = [
  {
    name: 'GitHub Actions',
    detect: 'GITHUB_ACTIONS',
    job: ['{GITHUB_WORKFLOW} / {GITHUB_JOB}', '{GITHUB_JOB}'],
    url: ['{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}'],
    commit: ['{GITHUB_SHA}'],
    branch: ['{GITHUB_HEAD_REF}', '{GITHUB_REF_NAME}'],
    actor: ['{GITHUB_TRIGGERING_ACTOR}', '{GITHUB_ACTOR}'],
    host: ['{RUNNER_NAME}'],
  },
  {
    name: 'GitLab CI',
    detect: 'GITLAB_CI',
    job: ['{CI_PROJECT_PATH} / {CI_JOB_NAME}', '{CI_JOB_NAME}'],
    url: ['{CI_JOB_URL}'],
    commit: ['{CI_COMMIT_SHA}'],
    branch: ['{CI_MERGE_REQUEST_SOURCE_BRANCH_NAME}', '{CI_COMMIT_REF_NAME}'],
    actor: ['{GITLAB_USER_LOGIN}'],
    host: ['{CI_RUNNER_DESCRIPTION}'],
  },
  {
    name: 'Buildkite',
    detect: 'BUILDKITE',
    job: ['{BUILDKITE_PIPELINE_SLUG} / {BUILDKITE_LABEL}', '{BUILDKITE_PIPELINE_SLUG}'],
    url: ['{BUILDKITE_BUILD_URL}#{BUILDKITE_JOB_ID}', '{BUILDKITE_BUILD_URL}'],
    commit: ['{BUILDKITE_COMMIT}'],
    branch: ['{BUILDKITE_BRANCH}'],
    actor: ['{BUILDKITE_BUILD_CREATOR}'],
    host: ['{BUILDKITE_AGENT_NAME}'],
  },
  {
    name: 'CircleCI',
    detect: 'CIRCLECI',
    job: ['{CIRCLE_PROJECT_REPONAME} / {CIRCLE_JOB}', '{CIRCLE_JOB}'],
    url: ['{CIRCLE_BUILD_URL}'],
    commit: ['{CIRCLE_SHA1}'],
    branch: ['{CIRCLE_BRANCH}'],
    actor: ['{CIRCLE_USERNAME}'],
    host: [],
  },
  {
    name: 'Azure Pipelines',
    detect: 'TF_BUILD',
    job: ['{BUILD_DEFINITIONNAME} / {SYSTEM_JOBDISPLAYNAME}', '{BUILD_DEFINITIONNAME}'],
    url: ['{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}'],
    commit: ['{BUILD_SOURCEVERSION}'],
    branch: ['{SYSTEM_PULLREQUEST_SOURCEBRANCH}', '{BUILD_SOURCEBRANCH}'],
    actor: ['{BUILD_REQUESTEDFOR}'],
    host: ['{AGENT_NAME}'],
  },
  {
    name: 'Jenkins',
    detect: 'JENKINS_URL',
    job: ['{JOB_NAME} #{BUILD_NUMBER}', '{JOB_NAME}'],
    url: ['{BUILD_URL}'],
    commit: ['{GIT_COMMIT}'],
    branch: ['{CHANGE_BRANCH}', '{BRANCH_NAME}', '{GIT_BRANCH}'],
    actor: ['{BUILD_USER_ID}', '{CHANGE_AUTHOR}'],
    host: ['{NODE_NAME}'],
  },
]

type Environment = Readonly<Record<string, string | undefined>>

/** `machine`: who and where it is outside of CI. */
export function originOf(env: Environment, machine: () => RunOrigin = thisMachine): RunOrigin {
  const system = ciSystems.find(({ detect }) => (env[detect] ?? '') !== '')
  if (system === undefined) return machine()
  const { name, detect: _, ...fields } = system
  const found = Object.entries(fields).flatMap(([field, templates]) => {
    const value = templates.map((template) => filled(template, env)).find((one) => one !== null)
    if (field === 'url' && value) return /^https?:/i.test(value) ? [[field, URL.parse(value)?.href]] : []
    return value === undefined ? [] : [[field, value]]
  })
  return { ci: name, ...Object.fromEntries(found) }
}

const mostCharacters = 300

function filled(template: string, env: Environment): string | null {
  let isWhole = true
  const text = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = (env[name] ?? '').trim()
    isWhole &&= value !== ''
    // A URL without user, password, query and fragment; anything else as it is.
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return value
    const { protocol, host, pathname } = new URL(value)
    const isBare = pathname === '/' && !value.endsWith('/')
    return `${protocol}//${host}${isBare ? '' : pathname}`
  })
  return isWhole ? text.slice(0, mostCharacters) : null
}

function thisMachine(): RunOrigin {
  try {
    return { actor: userInfo().username, host: hostname() }
  } catch {
    // A container may run as a user without an entry in its table of users.
    return { host: hostname() }
  }
}
