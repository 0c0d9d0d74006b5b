import { expect, test } from 'vitest'
import { environment, problemsOf, wholeFile } from '../file/file.testkit.ts'
import { parseTarget } from '../file/file.ts'
import { secretsOf } from '../secret-values.ts'

const fileWith = (create: string): string => `${wholeFile}\nwebhooks: { create: ${create} }`
const env = { ...environment, GATE: 'Bearer gate-secret' }

test('what a creation of webhooks needs is read, and its secrets are kept out of reports', () => {
  const target = parseTarget(
    fileWith('{ headers: { X-Gate: "env:GATE" }, members: { enabled: true, tags: [a] } }'),
    'target.yaml',
    env,
  )
  expect(target.webhookCreation).toEqual({
    headers: [['X-Gate', 'Bearer gate-secret']],
    members: { enabled: true, tags: ['a'] },
  })
  expect(secretsOf(target).map(({ value }) => value)).toContain('Bearer gate-secret')
})

test.for([
  ['{ members: { events: [] } }', 'webhooks.create.members.events is sent by the suite itself; take it out'],
  [
    '{ headers: { Cookie: a } }',
    'webhooks.create.headers.Cookie says who sends; give it under session.headers',
  ],
] as const)('%s is refused', ([create, words]) => {
  expect(problemsOf(fileWith(create), env).join()).toContain(words)
})
