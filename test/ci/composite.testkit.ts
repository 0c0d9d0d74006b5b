/**
 * Runs action.yml as a runner does: the expressions are evaluated by GitHub's own library, the `run` steps by a shell.
 * Of the actions it uses, caches and artifacts are folders here, and the rest does nothing.
 */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { root, shell, textOf, type Environment, type Job } from './job.testkit.ts'

type Texts = Readonly<Record<string, string>>

interface Step {
  id?: string
  if?: string
  uses?: string
  with?: Texts
  run?: string
  env?: Texts
  'working-directory'?: string
}

interface Action {
  inputs: Readonly<Record<string, { default?: string }>>
  outputs: Readonly<Record<string, { value: string }>>
  runs: { steps: readonly Step[] }
}

export const action = parse(textOf('action.yml')) as Action

export interface Event {
  name: 'push' | 'pull_request'
  /** What GitHub sent. */
  payload: object
}

export interface ActionRun {
  failed: boolean
  outputs: Texts
  /** What the steps printed. */
  log: string
  /** What is shown on the page of the job. */
  page: string
  /** The actions that were used, without their version. */
  used: readonly string[]
}

interface State {
  contexts: Record<string, unknown> & { steps: Record<string, { outputs: Texts }> }
  failed: boolean
  log: string
  used: string[]
}

/** Status functions of a step that does not name one itself. */
const statusFunction = /\b(always|success|failure)\(\)/

function evaluate(expression: string, { contexts, failed }: Pick<State, 'contexts' | 'failed'>) {
  const status = { always: true, success: !failed, failure: failed }
  const functions = Object.entries(status).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }))
  const { tokens } = new Lexer(expression).lex()
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse()
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary
  const byName = new Map(functions.map((one) => [one.name, one]))
  return new Evaluator(parsed, values, byName).evaluate()
}

/** A text in which `${{ … }}` may stand. */
function filled(text: string, state: Pick<State, 'contexts' | 'failed'>): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, inner: string) => evaluate(inner, state).coerceString())
}

const filledAll = (texts: Texts | undefined, state: State): Texts =>
  Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, filled(text, state)]))

/** What an action does here, with its inputs, in the folder of the runner; returns its outputs. */
type Replacement = (inputs: Texts, runner: string) => Texts

const actions: Readonly<Record<string, Replacement>> = {
  'actions/setup-node': () => ({}),
  'actions/cache/restore': ({ path = '', 'restore-keys': prefix = '' }, runner) => {
    const place = join(runner, 'cache')
    const keys = existsSync(place) ? readdirSync(place).filter((key) => key.startsWith(prefix)) : []
    const newest = keys.toSorted().at(-1)
    if (newest !== undefined) cpSync(join(place, newest), path, { recursive: true })
    return {}
  },
  'actions/cache/save': ({ path = '', key = '' }, runner) => {
    cpSync(path, join(runner, 'cache', key), { recursive: true })
    return {}
  },
  'actions/upload-artifact': ({ name = '', path = '' }, runner) => {
    cpSync(path, join(runner, 'artifacts', name), { recursive: true })
    return { 'artifact-url': `https://github.example/artifacts/${name}` }
  },
}

/** Runs the action once, as a job of its own, with a temporary folder of its own. */
export async function runAction(job: Job, event: Event, inputs: Texts): Promise<ActionRun> {
  const runner = join(job.folder, '.runner')
  mkdirSync(runner, { recursive: true })
  const temp = mkdtempSync(join(runner, 'temp-'))
  const write = (name: string, text: string): string => (
    writeFileSync(join(temp, name), text),
    join(temp, name)
  )
  const github = {
    token: 'token-of-the-job',
    event_name: event.name,
    run_id: temp.slice(-6),
    run_attempt: '1',
  }
  const state: State = {
    contexts: { github, runner: { temp }, inputs: {}, steps: {} },
    failed: false,
    log: '',
    used: [],
  }
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''] as const)
  state.contexts['inputs'] = filledAll({ ...Object.fromEntries(defaults), ...inputs }, state)
  const env: Environment = {
    ...job.env,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_REPOSITORY: 'acme/service',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_RUN_ID: github.run_id,
    GITHUB_STEP_SUMMARY: write('page.md', ''),
    GITHUB_OUTPUT: join(temp, 'outputs'),
    GITHUB_EVENT_PATH: write('event.json', JSON.stringify(event.payload)),
  }
  for (const step of action.runs.steps) await runStep(step, state, { folder: job.folder, env })
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value] as const)
  return {
    failed: state.failed,
    outputs: filledAll(Object.fromEntries(values), state),
    log: state.log,
    page: readFileSync(join(temp, 'page.md'), 'utf8'),
    used: state.used,
  }
}

async function runStep(
  step: Step,
  state: State,
  { folder, env }: Pick<Job, 'folder' | 'env'>,
): Promise<void> {
  const condition = step.if ?? 'success()'
  const whole = statusFunction.test(condition) ? condition : `success() && (${condition})`
  if (evaluate(whole, state).coerceString() !== 'true') return
  const outputs =
    step.run === undefined ? useAction(step, state, folder) : await runShell(step, state, { folder, env })
  if (step.id !== undefined) state.contexts.steps[step.id] = { outputs }
}

function useAction({ uses = '', with: inputs }: Step, state: State, folder: string): Texts {
  const [name = ''] = uses.split('@')
  state.used.push(name)
  const replacement = actions[name]
  if (!replacement) throw new Error(`nothing stands for the action ${uses}`)
  return replacement(filledAll(inputs, state), join(folder, '.runner'))
}

async function runShell(step: Step, state: State, job: Pick<Job, 'folder' | 'env'>): Promise<Texts> {
  const { GITHUB_OUTPUT = '' } = job.env
  writeFileSync(GITHUB_OUTPUT, '')
  const cwd = resolve(job.folder, filled(step['working-directory'] ?? '.', state))
  const { code, text } = await shell(step.run ?? '', cwd, { ...job.env, ...filledAll(step.env, state) })
  state.log += text
  if (code !== 0) state.failed = true
  const lines = readFileSync(GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
}
