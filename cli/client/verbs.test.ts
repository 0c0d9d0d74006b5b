import { expect, test } from 'vitest'
import { translateVerb, verbsFrom } from './verbs.ts'

test('a verb is said in the words of the program, and others stay as they are', () => {
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
  ['save=auth save', 'give one of chat, execute, login, whoami'],
  ['login', 'give one of chat, execute, login, whoami'],
  ['logni=auth', 'login'],
  ['login= ', 'nothing stands behind the equals sign'],
] as const)('--verb %s is refused', ([given, told]) => {
  expect(() => verbsFrom([given])).toThrow(told)
})
