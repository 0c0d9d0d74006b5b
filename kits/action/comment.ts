/** The step of the action that writes the summary into a comment of the pull request: one, which later runs update. */
import { readFileSync } from 'node:fs'

const { env } = process
const variable = (name: string): string => env[name] ?? ''
const repository = `${variable('GITHUB_API_URL')}/repos/${variable('GITHUB_REPOSITORY')}`
const marker = `<!-- touchstone: ${variable('INPUT_NAME')} -->`
const perPage = 100

interface Comment {
  id: number
  body?: string
  html_url: string
  user: { type: string } | null
  author_association: string
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, what: string) {
    super(`${what} returned ${status}`)
    this.status = status
  }
}

/** Throws `Refused` for a status other than 2xx. */
async function api<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${variable('GITHUB_TOKEN')}`,
    'content-type': 'application/json',
    'x-github-api-version': '2022-11-28',
  }
  const response = await fetch(`${repository}${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new Refused(response.status, `${method} ${path}`)
  return (await response.json()) as T
}

/** The number of the pull request that started the job; undefined for any other event. */
function pullRequest(): number | undefined {
  const text = readFileSync(variable('GITHUB_EVENT_PATH'), 'utf8')
  const event = JSON.parse(text) as { pull_request?: { number: number } }
  return event.pull_request?.number
}

/** Anybody can write the marker, so a comment counts only if it is by a bot or by somebody with write access. */
const isOurs = ({ body, user, author_association: association }: Comment): boolean =>
  body?.startsWith(marker) === true &&
  (user?.type === 'Bot' || ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(association))

/** The comment of an earlier run; undefined if there is none. */
async function earlierComment(number: number): Promise<Comment | undefined> {
  for (let page = 1; ; page += 1) {
    const path = `/issues/${number}/comments?per_page=${perPage}&page=${page}`
    const comments = await api<Comment[]>('GET', path)
    const found = comments.find(isOurs)
    if (found !== undefined || comments.length < perPage) return found
  }
}

function content(): string {
  const job = `${variable('GITHUB_SERVER_URL')}/${variable('GITHUB_REPOSITORY')}/actions/runs/${variable('GITHUB_RUN_ID')}`
  const artifact = variable('ARTIFACT_URL')
  const summary = variable('REPORT')
    ? readFileSync(`${variable('REPORT')}/summary.md`, 'utf8')
    : `## Touchstone wrote no report\n\nExit code ${variable('EXIT_CODE')}: the log of the job has the reason.\n`
  const links = [`[Job](${job})`, ...(artifact ? [`[report.html and all files](${artifact})`] : [])]
  return `${marker}\n${summary}\n${links.join(' · ')}\n`
}

async function write(number: number): Promise<Comment> {
  const earlier = await earlierComment(number)
  const body = { body: content() }
  return earlier
    ? api('PATCH', `/issues/comments/${earlier.id}`, body)
    : api('POST', `/issues/${number}/comments`, body)
}

function problemOf(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  if (!(error instanceof Refused) || ![401, 403, 404].includes(error.status)) return why
  return `${why}; give the job \`permissions: { contents: read, pull-requests: write }\`. The token of a pull request from a fork can never write: its summary is on the page of the job`
}

const number = pullRequest()
if (number === undefined) console.log('No comment: the job was not started by a pull request.')
else {
  try {
    console.log(`Comment: ${(await write(number)).html_url}`)
  } catch (error) {
    // The gate has decided already: a missing comment changes nothing of it.
    console.log(`::warning title=Touchstone::The comment was not written: ${problemOf(error)}.`)
  }
}
