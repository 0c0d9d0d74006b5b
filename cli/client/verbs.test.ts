import { expect, test } from 'vitest'
import { translateVerb, verbsFrom } from './verbs.ts'

test('a command gets the name that the program uses, and other arguments stay', () => {
  const verbs = verbsFrom(['login=auth  save', 'whoami=auth status'])
  expect(translateVerb(verbs, ['login', '--profile', 'harbour'])).toEqual([
    'auth',
    'save',
    '--profile',
    'harbour',
  ])
  expect(translateVerb(verbs, ['chat', '--message', 'login'])).toEqual(['chat', '--message', 'login'])
})

test.for([
  ['save=auth save', 'choose from chat, execute, login, whoami'],
  ['login', 'choose from chat, execute, login, whoami'],
  ['logni=auth', 'login'],
  ['login= ', 'the value is empty'],
] as const)('--verb %s is refused', ([given, message]) => {
  expect(() => verbsFrom([given])).toThrow(message)
})
