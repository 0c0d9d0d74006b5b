import { describe, expect, it, test } from 'vitest'
import { secretStaysOut, shownCharacters, hasNoSecretKey } from './disclosure.ts'
import { answer, jsonAnswer } from '../../../assertions/exchange.testkit.ts'

const secret = 'whsec_Zk3/9+aQ"x7Lm2'
const creation = jsonAnswer({ id: 'wh_1', secret_key: secret }, { status: 201, request: { name: 'a' } })

describe('an answer', () => {
  it.each([
    ['that masks the secret', jsonAnswer({ secret_key_preview: '****Lm2' }), 'pass'],
    ['with the secret', answer(`<p>${secret}</p>`), 'fail'],
    ['with the secret escaped as JSON', jsonAnswer({ deep: [{ secret }] }), 'fail'],
    ['with the secret escaped as numbers', answer(`"${secret.replace('/', String.raw`\u002F`)}"`), 'fail'],
    ['with the secret in a header', jsonAnswer({}, { headers: [['X-Debug', `s=${secret}`]] }), 'fail'],
    ['that is a refusal', jsonAnswer({}, { status: 404 }), 'inconclusive'],
  ])('%s is %s', (_, given, expected) => {
    expect(secretStaysOut(creation, [given]).is).toBe(expected)
  })

  it('is inconclusive for a secret that any text may contain, and without a secret', () => {
    const short = jsonAnswer({ id: 'a', secret_key: 'abc' })
    expect(secretStaysOut(short, [jsonAnswer({})]).is).toBe('inconclusive')
    expect(secretStaysOut(jsonAnswer({ id: 'a' }), [jsonAnswer({})]).is).toBe('inconclusive')
    expect(secretStaysOut(creation, []).is).toBe('inconclusive')
  })
})

test.each([
  [{}, 'pass'],
  [{ secret_key: null }, 'pass'],
  [{ secret_key: secret }, 'fail'],
  [{ secret_key: '****' }, 'fail'],
])('a listed webhook with %o is %s', (more, expected) => {
  const list = jsonAnswer({ webhooks: [{ id: 'wh_1', ...more }] })
  expect(hasNoSecretKey(list, creation).is).toBe(expected)
})

test.each([
  ['********', 0],
  ['****Lm2', 3],
  ['whsec_****Lm2', 3],
  ['whsec_Zk3/****x7Lm2', 9],
  ['Zk3/9+aQ"x', 10],
  ['****9+aQ****', 4],
  ['whsec_Zk*/*+a**x*Lm2', 9],
  [secret, Infinity],
  [secret.replace('whsec_', ''), Infinity],
])('%s shows %d characters of a secret', (preview, expected) => {
  expect(shownCharacters(secret, preview)).toBe(expected)
})
