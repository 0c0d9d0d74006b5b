/** A streamed reply of the older variant. */
import { scenario } from '../scenario/scenario.ts'
import { isObject } from '../../spec/json.ts'
import { given, observed } from '../scenario/expect.ts'
import { eventName, rateHeadersThere, olderStream } from './assertions/older.ts'
import type { Exchange } from '../wire/exchange.ts'
import { readSseBody } from '../wire/sse.ts'

export const reply = scenario({
  title: 'a streamed reply comes as texts, sources and done',
  exchanges: ['turn'],
  needs: { older: 'key', extra: true },
  cost: { requests: 1, turns: 1 },
  async run(t) {
    await t.older('turn', { message: t.text(40), stream: true })
  },
  judge: {
    'OLD-STREAM': ({ turn }) => olderStream(turn),
    'OLD-RATE-HEADERS': ({ turn }) => given(olderStream(turn), () => rateHeadersThere(turn)),
  },
  observe: {
    'GAP-OLDER-EVENTS': ({ turn }) => given(olderStream(turn), () => observed(membersOf(turn))),
  },
})

/** The members of each event, by its name. */
function membersOf(turn: Exchange): string {
  const rows = readSseBody(turn).events.map((event) => {
    const members = isObject(event.json) ? Object.keys(event.json).filter((name) => name !== 'type') : []
    return `${eventName(event)}: ${members.join(' ') || 'no member'}`
  })
  return [...new Set(rows)].join('; ')
}
