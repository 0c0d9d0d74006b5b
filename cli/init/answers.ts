/** The values for a new target file: from options, or from prompts if there are none and there is a terminal. */
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { baseUrlProblem } from '../../suites/wire/route.ts'
import type { InitOptions } from '../commands/options.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { isVariableName } from '../values.ts'

export type InitAnswers = Required<Pick<InitOptions, 'name' | 'kind' | 'baseUrl' | 'apiKey' | 'agent'>> &
  Pick<InitOptions, 'secondAgent' | 'pausedAgent' | 'session' | 'receiver' | 'operation'>

interface Question {
  asks: keyof InitAnswers
  text: string
  usual: string
  /** Returns what is wrong with an answer, or null. */
  problem?: (answer: string) => string | null
  /** The value is a secret, so only a reference to it is accepted. */
  secret?: true
}

const isReference = (answer: string): boolean => /^(env|file):./.test(answer)

function addressProblem(answer: string): string | null {
  const problem = isReference(answer) ? null : baseUrlProblem(answer)
  return problem === null ? null : `the address ${problem}, or env:NAME.`
}

function receiverProblem(answer: string): string | null {
  if (answer === '' || answer === 'loopback' || isReference(answer)) return null
  const problem = baseUrlProblem(answer)
  if (problem !== null) return `the address ${problem}, or env:NAME, or loopback.`
  return /^https:/i.test(answer) ? null : `${answer} is not an https URL: give one, or env:NAME, or loopback.`
}

const questions: readonly Question[] = [
  { asks: 'name', text: 'How should reports call the target?', usual: 'my-service' },
  {
    asks: 'kind',
    text: 'Is it staging or production?',
    usual: 'staging',
    problem: (answer) =>
      /^(staging|production)$/.test(answer) ? null : `${answer}: say staging or production.`,
  },
  {
    asks: 'baseUrl',
    text: 'What is its base address, before /api/v1?',
    usual: `env:${contractIdentifiers.baseUrlVariable}`,
    problem: addressProblem,
  },
  {
    asks: 'apiKey',
    text: 'Where is an API key with the scope chat: env:NAME or file:PATH?',
    usual: `env:${contractIdentifiers.apiKeyVariable}`,
    secret: true,
    // Does not repeat the answer, which may be the key.
    problem: (answer) =>
      isReference(answer) ? null : 'the target file must not contain a key: give env:NAME or file:PATH.',
  },
  { asks: 'agent', text: 'Which agent answers any message?', usual: 'env:SERVICE_AGENT' },
  { asks: 'secondAgent', text: 'Another agent of the same account?', usual: '' },
  { asks: 'pausedAgent', text: 'An agent whose AI replies are paused?', usual: '' },
  {
    asks: 'session',
    text: 'For webhooks: where is the Cookie of a signed-in user, env:NAME or file:PATH?',
    usual: '',
    secret: true,
    problem: (answer) =>
      answer === '' || isReference(answer)
        ? null
        : 'the target file must not contain a session: give env:NAME or file:PATH.',
  },
  {
    asks: 'receiver',
    text: 'For deliveries: `loopback` if it delivers to this machine, or the https address that leads here?',
    usual: '',
    problem: receiverProblem,
  },
  {
    asks: 'operation',
    text: 'For operations: the id of one that only reads and takes {} as its input?',
    usual: '',
  },
]

export async function answersFrom(options: InitOptions, io: Io): Promise<InitAnswers> {
  const isAsked = io.question !== null && questions.every(({ asks }) => options[asks] === undefined)
  const answers: Partial<Record<keyof InitAnswers, string>> = {}
  for (const question of questions) {
    const { asks, usual } = question
    const answer = isAsked ? await askUntilFit(question, io) : (options[asks] ?? usual)
    const because = problemOf(question, answer, io.env)
    if (because !== null && !isAsked)
      throw new UsageError(
        `--${asks.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${because}`,
      )
    if (answer !== '') answers[asks] = answer
  }
  return answers as InitAnswers
}

function problemOf({ secret, problem }: Question, answer: string, env: Io['env']): string | null {
  const meant = secret && isVariableName(answer, env)
  return meant ? `did you mean env:${answer}?` : (problem?.(answer) ?? null)
}

async function askUntilFit(question: Question, io: Io): Promise<string> {
  const { text, usual, secret } = question
  const ask = (prompt: string) =>
    io.question?.(prompt, io.stopped).catch((): never => {
      throw new UsageError('the prompts were cancelled; nothing was written.')
    })
  const hint = usual === '' ? 'Enter if there is none' : usual
  for (;;) {
    const answer = (await ask(`${text} [${hint}] `))?.trim() || usual
    const because = problemOf(question, answer, io.env)
    if (because === null) return answer
    if (!secret || !isVariableName(answer, io.env)) io.err(`${because}\n`)
    else if (/^y?(es)?$/i.test((await ask(`Did you mean env:${answer}? [yes] `))?.trim() ?? 'no'))
      return `env:${answer}`
  }
}
