import { describe, expect, test } from 'vitest'
import { environment, lineOf, problemsOf, wholeFile as whole, withState } from './file.testkit.ts'
import { parseTarget } from './file.ts'
import type { Environment } from './secrets.ts'
import type { Target } from '../target.ts'

const overridden = (env: Environment, text = whole): Target =>
  parseTarget(text, 'target.yaml', { ...environment, ...env })

const fits: readonly (readonly [variable: string, text: string, target: object])[] = [
  ['TOUCHSTONE_TARGET__BASE_URL', 'https://other.test/', { baseUrl: 'https://other.test' }],
  ['TOUCHSTONE_TARGET__NAME', '2026', { name: '2026' }],
  ['TOUCHSTONE_TARGET__IMPLEMENTATION__VERSION', '4.10', { implementation: { version: '4.10' } }],
  ['TOUCHSTONE_TARGET__REPLICAS', '["https://b.test"]', { replicas: ['https://b.test'] }],
  ['TOUCHSTONE_BUDGETS__TURNS', '50', { budgets: { turns: 50 } }],
  ['TOUCHSTONE_BUDGETS__WALL_SECONDS', '0.5', { budgets: { wallSeconds: 0.5 } }],
  ['TOUCHSTONE_BUDGETS', '{ turns: 7 }', { budgets: { turns: 7, requests: 3000 } }],
  ['TOUCHSTONE_OPT_IN', '[slow]', { optIn: ['slow'] }],
  ['TOUCHSTONE_PROFILE', 'smoke', { profile: 'smoke' }],
  ['TOUCHSTONE_EXCLUSIVE_CREDITS', 'true', { exclusiveCredits: true }],
  ['TOUCHSTONE_PRINCIPALS__MAIN__BEARER', 'env:KEY_2', { principals: [{ bearer: 'sk-other' }] }],
  ['TOUCHSTONE_AGENTS__PLAIN', 'agent-9', { agents: { plain: 'agent-9' } }],
  ['TOUCHSTONE_STATES__SERVER_500__WHY', 'never', { states: { 'server.500': { why: 'never' } } }],
]

describe('a variable of the environment stands for a value of the file', () => {
  test.for(fits)('%s=%s', ([variable, text, target]) => {
    expect(overridden({ [variable]: text })).toMatchObject(target)
  })
})

test('the variable that says more wins over the one for the table around it', () => {
  const env = { TOUCHSTONE_BUDGETS__TURNS: '5', TOUCHSTONE_BUDGETS: '{ turns: 7, credits: 9 }' }
  expect(overridden(env).budgets).toMatchObject({ turns: 5, credits: 9 })
})

test('variables that exec passes to its command override nothing', () => {
  const given = {
    TOUCHSTONE_AGENT: 'agent_1',
    TOUCHSTONE_SESSION: 'sess_1',
    TOUCHSTONE_CONTROL_URL: 'http://a',
  }
  expect(overridden({ ...given, TOUCHSTONE_TENANT: '{}' })).toEqual(overridden({}))
  expect(() => overridden(given)).toThrow('did you mean TOUCHSTONE_AGENTS?')
})

const refused: readonly (readonly [variable: string, text: string, message: string])[] = [
  [
    'TOUCHSTONE_AGENTS',
    '{ plain: &a [*a] }',
    'the environment variable TOUCHSTONE_AGENTS: its aliases (*name) lead round in a circle or grow without end; write the values out',
  ],
  [
    'TOUCHSTONE_BUDGET__TURNS',
    '5',
    'the environment variable TOUCHSTONE_BUDGET__TURNS is about nothing in a target file; did you mean TOUCHSTONE_BUDGETS__TURNS?',
  ],
  [
    'TOUCHSTONE_BUDGETS__TURN',
    '5',
    'the environment variable TOUCHSTONE_BUDGETS__TURN is about nothing in a target file; did you mean TOUCHSTONE_BUDGETS__TURNS?',
  ],
  [
    'TOUCHSTONE_PROFIL',
    'smoke',
    'the environment variable TOUCHSTONE_PROFIL is about nothing in a target file; did you mean TOUCHSTONE_PROFILE?',
  ],
  [
    'TOUCHSTONE_PRINCIPALS__MIAN__BEARER',
    'env:KEY',
    'the environment variable TOUCHSTONE_PRINCIPALS__MIAN__BEARER is about nothing in a target file; did you mean TOUCHSTONE_PRINCIPALS__MAIN__BEARER?',
  ],
  [
    'TOUCHSTONE_CONTROL__ADDRESS',
    'http://x',
    'the environment variable TOUCHSTONE_CONTROL__ADDRESS is about nothing in a target file; known are TOUCHSTONE_CONTROL__URL, TOUCHSTONE_CONTROL__TOKEN',
  ],
  [
    'TOUCHSTONE_PROFILE__NAME',
    'x',
    'the environment variable TOUCHSTONE_PROFILE__NAME is about nothing in a target file; TOUCHSTONE_PROFILE has no parts',
  ],
  [
    'TOUCHSTONE_BUDGETS',
    '{ turns: 7',
    'the environment variable TOUCHSTONE_BUDGETS is not YAML: Flow map must end with a }',
  ],
  [
    'TOUCHSTONE_BUDGETS__TURNS',
    'many',
    'the environment variable TOUCHSTONE_BUDGETS__TURNS: budgets.turns is "many"; give a whole number',
  ],
  [
    'TOUCHSTONE_BUDGETS',
    '{ turn: 7 }',
    'the environment variable TOUCHSTONE_BUDGETS: unknown key "turn" in budgets; did you mean "turns"?',
  ],
  [
    'TOUCHSTONE_PRINCIPALS__MAIN__BEARER',
    'sk-live-key',
    'the environment variable TOUCHSTONE_PRINCIPALS__MAIN__BEARER: principals.main.bearer is an API key written out; give it as env:NAME or file:path',
  ],
]

describe('a variable that was meant for the file and does not fit is refused', () => {
  test.for(refused)('%s=%s', ([variable, text, message]) => {
    expect(problemsOf(whole, { ...environment, [variable]: text })).toEqual([message])
  })
})

test('variables that are somebody else’s, empty, or named by the file itself are left alone', () => {
  const text = whole.replace('env:KEY', 'env:TOUCHSTONE_AGENT')
  const env = {
    TOUCHSTONE_URL: 'http://x',
    TOUCHSTONE_KEY: 'sk-x',
    TOUCHSTONE_BUDGETS__TURNS: '',
    OTHER__X: '1',
  }
  expect(overridden({ ...env, TOUCHSTONE_AGENT: 'sk-mine' }, text).principals[0]?.bearer).toBe('sk-mine')
})

test('what the variables leave alone is refused with its line in the file', () => {
  const text = withState('server.500', 'provide: none')
  expect(problemsOf(text, { ...environment, TOUCHSTONE_PROFILE: 'smoke' })).toEqual([
    `target.yaml:${lineOf('server.500')}: states.server.500 is provided by none; say why`,
  ])
})

test('bytes, which YAML can write, are refused in words', () => {
  const [first] = problemsOf(whole, { ...environment, TOUCHSTONE_AGENTS: '!!binary AAAA' })
  expect(first).toMatch(/^the environment variable TOUCHSTONE_AGENTS: agents/)
})
