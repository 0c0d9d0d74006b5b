import { expect, test } from 'vitest'
import { manageRequest } from './manage-request.ts'
import type { RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/setting.ts'
import type { ManageRequest } from '../../scenario/webhook-driver.ts'

const setting: Setting = {
  agent: 'a',
  secondAgent: '',
  message: '',
  cast: {},
  session: [['Cookie', 'session=1']],
  webhookCreation: { headers: [['X-Csrf', 'token']], members: { enabled: true } },
}

function sent(asked: ManageRequest) {
  const { headers, body } = manageRequest('one', asked, setting, {
    scenario: 's',
    userAgent: 'u',
  } as RequestDefaults)
  return { csrf: headers.find(([name]) => name === 'X-Csrf')?.[1], body: Buffer.from(body).toString() }
}

test.for<[what: string, asked: ManageRequest, csrf: string | undefined, body: string]>([
  ['a creation', { body: { name: 'n' } }, 'token', '{"enabled":true,"name":"n"}'],
  ['a creation that says otherwise', { body: { enabled: false } }, 'token', '{"enabled":false}'],
  ['a creation without the session', { body: {}, as: null }, 'token', '{"enabled":true}'],
  ['bytes', { method: 'POST', raw: 'no' }, 'token', 'no'],
  ['an update', { method: 'PATCH', path: '/w', body: { name: 'n' } }, undefined, '{"name":"n"}'],
  ['a sample', { method: 'POST', path: '/w/test' }, undefined, ''],
  ['a list', {}, undefined, ''],
])('what every creation needs goes with creations alone: %s', ([, asked, csrf, body]) => {
  expect(sent(asked)).toEqual({ csrf, body })
})
