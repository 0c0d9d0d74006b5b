import { expect, test } from 'vitest'
import { endedSession } from './ended-session.ts'

const session = {
  headers: [
    ['Cookie', 'session=abc; csrf=d=e'],
    ['Authorization', 'Bearer jwt'],
    ['X-Token', 'abc'],
  ],
} as const

test('a session that has ended is the one that is declared as such', () => {
  const former = { headers: [['Cookie', 'session=old']], ended: true } as const
  expect(endedSession({ session, sessions: { small: session, former } }, 'none')).toBe(former.headers)
})

test('without one it has the names of the session, and nothing of its values', () => {
  expect(endedSession({ session, sessions: { small: session } }, 'none')).toEqual([
    ['Cookie', 'session=none; csrf=none'],
    ['Authorization', 'Bearer none'],
    ['X-Token', 'none'],
  ])
  expect(endedSession({ session: null, sessions: {} }, 'none')).toEqual([])
})
