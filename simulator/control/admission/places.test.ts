/** Which requests to the control plane have a share of their own. */
import { expect, test } from 'vitest'
import type { RequestHead, RequestPlace } from '../../server/http-server.ts'
import { InFlightLimit } from '../../server/in-flight-limit.ts'
import { withControlPlaces } from './places.ts'

const token = 'a-token-of-the-control-plane'
const strangers: RequestPlace = { rules: { bodyLimitBytes: 100 } }
const placeOf = withControlPlaces(token, () => strangers)

const head = (path: string, authorization = `Bearer ${token}`): RequestHead => ({
  method: 'GET',
  path,
  headers: [['Authorization', authorization]],
})
const own = placeOf(head('/_sim/v1/tenants/tenant_a'))

test.for([
  ['/_sim/v1/tenants/tenant_a', 'own'],
  ['/_sim/v1/tenants/tenant_a?x=1', 'own'],
  ['/_sim/v1/tenants/tenant_a/journal/wait?count=1', 'own'],
  ['/_sim/v1/tenants/tenant_b', 'other'],
  ['/_sim/v1/tenants/%74enant_a', 'strangers'],
  ['/_sim/v1/tenants/tenant_a#1', 'strangers'],
  ['/_sim/v1/tenants/anything', 'strangers'],
  ['/_sim/v1/tenants', 'strangers'],
  ['/_sim/v1/faults', 'strangers'],
  ['/api/v1/operations', 'strangers'],
] as const)('with the token, the share of %s: %s', ([path, expected]) => {
  const place = placeOf(head(path))
  const is = place === strangers ? 'strangers' : place === own ? 'own' : 'other'
  expect(is).toBe(expected)
  expect(place.rules).toBe(strangers.rules)
})

test.for(['', 'Bearer ', 'Bearer another-token-of-16-characters'])(
  'without the token there is none: %j',
  (value) => {
    expect(placeOf(head('/_sim/v1/tenants/tenant_a', value))).toBe(strangers)
  },
)

test('all of them together leave half of the bytes to tenants', () => {
  const limit = new InFlightLimit({ openAnswers: 10, openBytes: 100, allOpenBytes: 200 })
  const [another, third] = ['b', 'c'].map((name) => placeOf(head(`/_sim/v1/tenants/tenant_${name}`)))
  limit.hold(own, 60)
  expect(limit.hasRoom(another!)).toBe(true)
  limit.hold(another!, 60)
  expect(limit.hasRoom(third!)).toBe(false)
  expect(limit.hasRoom(strangers)).toBe(true)
  limit.hold(own, -60)
  expect(limit.hasRoom(third!)).toBe(true)
})
