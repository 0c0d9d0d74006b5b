/** Judgements on the replay of a streamed turn. Tokens before `done` may be repeated or not. */
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { all, fail, check, expects, given } from '../../../scenario/expect.ts'
import { replayed } from '../../../assertions/once.ts'
import { events, field, inForm, sameField } from '../../../assertions/reply.ts'
import { isTerminal, wholeStream } from './stream.ts'
import { accepts, replied } from '../../../assertions/turn.ts'

export function oneDone(exchange: Exchange): Judgement {
  return given(wholeStream(exchange), () => {
    const count = events(exchange, 'done').length
    return expects(count === 1, { event: 'done', times: 1 }, `${count} of them`, exchange)
  })
}

export function replayedStream(first: Exchange, again: Exchange): Judgement {
  return given(all(oneDone(first), replayed(first, again)), () =>
    given(accepts(again), () => {
      const form = inForm(again, 'stream')
      return form.is === 'pass' ? oneDone(again) : form
    }),
  )
}

export function sameInDone(
  first: Exchange,
  again: Exchange,
  name: 'response' | 'conversation_id',
): Judgement {
  return given(oneDone(first), () => given(field(first, name, 'string'), () => sameField(first, again, name)))
}

/** A replayed stream has no `error`, and nothing after its `done`. */
export function onlyDone(first: Exchange, again: Exchange): Judgement {
  return given(replayed(first, again), () =>
    given(replied(again), () => {
      const found = events(again)
      const at = found.findIndex(isTerminal)
      const types = found.map((event) => String(event['type'])).join(', ')
      if (found.some((event) => event['type'] === 'error')) return fail('no `error`', types, again)
      return check(at === found.length - 1, 'nothing after `done`', types, again)
    }),
  )
}
