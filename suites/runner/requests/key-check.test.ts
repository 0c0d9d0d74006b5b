import { expect, test } from 'vitest'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import type { Setting } from '../../scenario/setting.ts'
import { createSource } from '../../scenario/source.ts'
import { ScenarioContext } from '../scenario-context.ts'
import { serviceDouble } from '../service.testkit.ts'
import { checkRefusedKeys, isWrongKey } from './key-check.ts'

test.for([
  ['asked once what it may do', {}, 401, ['scope of mute']],
  ['left alone where it was refused otherwise', {}, 403, []],
  ['left alone where nothing is known that it may do', { scopes: ['chat'] }, 401, []],
  ['left alone where it is revoked', { revoked: true }, 401, []],
] as const)('a refused key is %s', async ([, change, status, names]) => {
  const service = await serviceDouble(() => ({ status: 200, body: '{}' }))
  await service.close()
  const [main] = service.target.principals
  if (!main) throw new Error('the double has no principal')
  const other = {
    ...main,
    name: 'other',
    bearer: 'sk-other',
    scopes: ['billing_read'],
    ...change,
  } as typeof main
  const setting: Setting = {
    agent: 'a',
    secondAgent: 'b',
    message: 'Hello',
    cast: { self: main, mute: other },
  }
  const context = new ScenarioContext(setting)
  const refused = (name: string) => jsonAnswer({ error: 'no' }, { name, status })
  const again = (): Outgoing => {
    throw new Error('nothing is sent again')
  }
  context.repeatable = ['mute', 'streamed'].map((name) => ({
    exchange: refused(name),
    setting,
    as: 'mute',
    again,
  }))
  const sent: Outgoing[] = []
  const send = async (outgoing: Outgoing) => {
    sent.push(outgoing)
    return refused(outgoing.name)
  }
  const requestDefaults = {
    scenario: 'double',
    userAgent: 'double',
    source: createSource(1, 'run', 'double'),
  }
  await checkRefusedKeys(context, { wire: { send }, requestDefaults })
  expect(sent.map(({ name }) => name)).toEqual(names)
  expect(sent.map(({ principal }) => principal)).toEqual(names.map(() => 'other'))
})

test('it is wrong where it is refused with 401 for both', () => {
  const refused = (name: string, status: number) => jsonAnswer({ error: 'no' }, { name, status })
  const mute = refused('mute', 401)
  expect(isWrongKey(mute, [mute, refused('scope of mute', 401)])).toBe(true)
  expect(isWrongKey(mute, [mute, refused('scope of mute', 200)])).toBe(false)
  expect(isWrongKey(refused('mute', 403), [refused('scope of mute', 401)])).toBe(false)
  expect(isWrongKey(mute, [mute])).toBe(false)
})
