/** A replica that hangs for longer than its lease, and then goes on as if nothing had been. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Cluster } from './cluster.ts'
import { openEndpoint } from './endpoint.ts'
import {
  createTenantServers,
  creditsOf,
  failedOnce,
  assertSuccess,
  hookTo,
  retryWhileRefused,
  isReplay,
  textAt,
} from './tenant-servers.ts'

/** Longer than it takes to stop the process once the turn has begun, shorter than its lease. */
const turnMs = 1_500

export async function stopped({ replicas: [stopping, living], servers: [front] }: Cluster): Promise<void> {
  const house = await createTenantServers(front, stopping.url, living.url)
  const { owner, other, accounts } = house
  await using endpoint = await openEndpoint(500)
  assertSuccess(await owner.webhooks('POST', '', hookTo(endpoint.url, 'leads.submit')))
  const before = await creditsOf(owner, accounts.main)
  await owner.control.addReplyRules([
    { match: { message: 'Wait.' }, reply: { text: 'Done.', delayMs: turnMs } },
  ])
  const barrier = await owner.control.barriers.hold({ at: 'before-run', key: 'late' })
  const turn = { key: 'late', message: 'Wait.' }
  const late = owner.chat(turn).then(
    ({ status }) => status,
    () => 'dropped',
  )
  await barrier.reached()
  const [delivery] = await owner.control.emit('leads.submit')
  await endpoint.came(1)
  await failedOnce(owner)
  await barrier.release()

  stopping.stop()
  endpoint.answers = 204
  const { response: met } = await retryWhileRefused(() => other.chat(turn))
  expect([met.status, textAt(met, 'error')]).toEqual([409, 'OUTCOME_UNCERTAIN'])
  const meanwhile = assertSuccess(await other.chat({ key: 'meanwhile' }))
  await endpoint.came(2)
  stopping.goOn()

  expect(await late).toBeOneOf([503, 'dropped'])
  while (!(await isWell(stopping.url))) await pause(20)
  const again = await retryWhileRefused(() => owner.chat(turn))
  expect(textAt(again.response, 'error')).toBe('OUTCOME_UNCERTAIN')
  expect(isReplay(await owner.chat({ key: 'meanwhile' }))).toBe(true)
  expect(await creditsOf(other, accounts.main)).toBe(before - Number(meanwhile.body['credits_used']))
  // It delivers again, and what it delivers is all there is.
  const own = await createTenantServers(front, stopping.url, living.url)
  assertSuccess(await own.owner.webhooks('POST', '', hookTo(endpoint.url, 'leads.submit')))
  const [later] = await own.owner.control.emit('leads.submit')
  await endpoint.came(3)
  expect(endpoint.arrivals.map(({ deliveryId }) => deliveryId)).toEqual([delivery, delivery, later])
}

const isWell = async (url: string): Promise<boolean> => (await fetch(`${url}/healthz`)).ok
