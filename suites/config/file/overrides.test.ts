import { expect, test } from 'vitest'
import { environment, problemsOf, wholeFile as whole } from './file.testkit.ts'
import { parseTarget } from './file.ts'
import type { Environment } from './schema.ts'
import type { Target } from '../target.ts'

const overridden = (env: Environment, text = whole): Target =>
  parseTarget(text, 'target.yaml', { ...environment, ...env })

const fits: readonly (readonly [variable: string, text: string, target: object])[] = [
  ['TOUCHSTONE_TARGET__BASE_URL', 'https://other.test/', { baseUrl: 'https://other.test' }],
  ['TOUCHSTONE_TARGET__NAME', '2026', { name: '2026' }],
  ['TOUCHSTONE_BUDGETS__TURNS', '50', { budgets: { turns: 50 } }],
  ['TOUCHSTONE_BUDGETS', '{ turns: 7 }', { budgets: { turns: 7, requests: 3000 } }],
  ['TOUCHSTONE_TARGET__TRACE', 'false', { trace: false }],
  ['TOUCHSTONE_PROFILE', 'smoke', { profile: 'smoke' }],
  ['TOUCHSTONE_EXCLUSIVE_CREDITS', 'true', { exclusiveCredits: true }],
  ['TOUCHSTONE_PRINCIPALS__MAIN__BEARER', 'env:KEY_2', { principals: [{ bearer: 'sk-other' }] }],
  ['TOUCHSTONE_STATES__SERVER_500__WHY', 'never', { states: { 'server.500': { why: 'never' } } }],
]

test.for(fits)(
  'a variable of the environment stands for a value of the file %s=%s',
  ([variable, text, target]) => {
    expect(overridden({ [variable]: text })).toMatchObject(target)
  },
)

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

const saidOf = (name: string, text: string): readonly string[] =>
  problemsOf(whole, { ...environment, [`TOUCHSTONE_${name}`]: text }).map((problem) =>
    problem.replace(`the environment variable TOUCHSTONE_${name}`, 'it'),
  )

test.for([
  ['BUDGETS__TURN', 'did you mean TOUCHSTONE_BUDGETS__TURNS?'],
  ['PROFIL', 'did you mean TOUCHSTONE_PROFILE?'],
  ['CONTROL__ADDRESS', 'known are TOUCHSTONE_CONTROL__URL, TOUCHSTONE_CONTROL__TOKEN'],
  ['PROFILE__NAME', 'TOUCHSTONE_PROFILE has no parts'],
] as const)('TOUCHSTONE_%s that was meant for the file is refused', ([name, words]) => {
  expect(saidOf(name, '5')).toEqual([`it is about nothing in a target file; ${words}`])
})

const aliases = 'are too many, lead round in a circle or grow without end; write the values out'
const writtenOut = 'is an API key written out; give it as env:NAME or file:path'

test.for([
  ['AGENTS', '{ plain: &a [*a] }', `it: its aliases (*name) ${aliases}`],
  ['BUDGETS', '{ turns: 7', 'it is not YAML: Flow map must end with a }'],
  ['BUDGETS', '{ turn: 7 }', 'it: unknown key "turn" in budgets; did you mean "turns"?'],
  ['PRINCIPALS__MAIN__BEARER', 'sk-live-key', `it: principals.main.bearer ${writtenOut}`],
] as const)('what TOUCHSTONE_%s holds is refused where it does not fit: %s', ([name, text, says]) => {
  expect(saidOf(name, text)).toEqual([says])
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
