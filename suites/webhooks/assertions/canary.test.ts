import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { blocked, hostOf, lastLogOf, observedBlocking } from './canary.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { attempt } from '../../assertions/inbound.testkit.ts'

const url = 'http://[fd00::2]:8080/run/canary/1'
const offered = (status: number) =>
  jsonAnswer({ id: 'wh_1', secret_key: 's' }, { status, request: { endpoint_url: url } })
const by = (path: string): Exchange => {
  const made = attempt()
  return { ...made, request: { ...made.request, path } }
}
const dialect = { log: { status: '/status' } }
const logged = (...entries: readonly object[]) => jsonAnswer({ logs: entries })
const unanswered = logged({ event: 'a', status: null, success: false })

describe('an endpoint at a blocked address', () => {
  it.each([
    ['refused', offered(400), [], undefined, 'pass'],
    ['refused by a server that broke down', offered(500), [], undefined, 'inconclusive'],
    ['refused and delivered to', offered(400), [by('/run/canary/1')], undefined, 'fail'],
    ['taken and delivered to', offered(201), [by('/run/canary/1')], unanswered, 'fail'],
    ['taken, while another one was delivered to', offered(201), [by('/run/other')], unanswered, 'pass'],
    ['taken, and its delivery failed without an answer', offered(201), [], unanswered, 'pass'],
    ['taken, and something answered', offered(201), [], logged({ event: 'a', status: 502 }), 'fail'],
    ['taken, and nothing logged', offered(201), [], logged(), 'inconclusive'],
    ['taken, and no log to look at', offered(201), [], undefined, 'inconclusive'],
  ])('%s', (_, request, arrived, log, expected) => {
    expect(blocked({ request, arrived, log, dialect }).is).toBe(expected)
  })

  it('is not taken for answered because of a number that may be anything', () => {
    const log = logged({ event: 'a', took: 250 })
    expect(blocked({ request: offered(201), arrived: [], log, dialect: {} }).is).toBe('inconclusive')
  })

  it('is reported by its host alone', () => {
    expect(hostOf(offered(201))).toBe('[fd00::2]')
    expect(observedBlocking([offered(201)], [by('/run/canary/1')])).toEqual({
      is: 'observed',
      value: '[fd00::2] taken with 201, and delivered to',
    })
  })

  it('has the log of its own webhook, the last that was read', () => {
    const at = (path: string): Exchange => ({ ...unanswered, request: { ...unanswered.request, path } })
    const logs = [at('/api/agents/a/webhooks/wh_1/logs'), at('/api/agents/a/webhooks/wh_2/logs')]
    expect(lastLogOf(offered(201), logs)).toBe(logs[0])
    expect(lastLogOf(offered(201), logs.slice(1))).toBeUndefined()
  })
})
