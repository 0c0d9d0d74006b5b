/** The GitLab component as gitlab-ci-local expands it, after it has validated the result with GitLab's own schema. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root, textOf } from './job.testkit.ts'

export interface GitLabJob {
  script: string[]
  cache: { paths: string[]; when: string }[]
  artifacts: { when: string; paths: string[]; reports: { junit: string } }
}

const program = join(root, 'node_modules/gitlab-ci-local/dist/index.js')

/** The jobs of a pipeline that includes the component with these inputs. Throws if the tool refuses it. */
export function expandComponent(inputs: object): Record<string, GitLabJob> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-gitlab-'))
  const run = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const include = [{ local: 'templates/touchstone.yml', inputs }]
    cpSync(join(root, 'templates'), join(folder, 'templates'), { recursive: true })
    writeFileSync(join(folder, '.gitlab-ci.yml'), stringify({ include }))
    run('git', 'init', '--quiet')
    run('git', 'remote', 'add', 'origin', 'https://gitlab.example/acme/touchstone.git')
    run('git', 'add', '--all')
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
    run('git', ...author, 'commit', '--quiet', '--message', 'component')
    const expanded = parse(run(process.execPath, program, '--preview')) as Record<string, object>
    const jobs = Object.entries(expanded).filter(([, member]) => 'script' in member)
    return Object.fromEntries(jobs) as Record<string, GitLabJob>
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The inputs of the example. */
export function exampleInputs(): object {
  const { include } = parse(textOf('examples/ci/gitlab-ci.yml')) as { include: [{ inputs: object }] }
  return include[0].inputs
}
