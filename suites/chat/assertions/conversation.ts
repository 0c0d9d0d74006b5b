import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { check, every, given } from '../../scenario/expect.ts'
import { field } from '../../assertions/reply.ts'
import { asked, conversationOf } from '../../assertions/turn.ts'

export const wanted = (turn: Exchange): unknown => asked(turn)?.['conversation_id']

export function inItsOwn(turn: Exchange): Judgement {
  return given(field(turn, 'conversation_id', 'string'), () => {
    const [expected, got] = [String(wanted(turn)), String(conversationOf(turn))]
    return check(expected === got, `the conversation ${expected}`, got, turn)
  })
}

export function newConversations(...turns: readonly Exchange[]): Judgement {
  return given(
    every(turns, (turn) => field(turn, 'conversation_id', 'string')),
    () => {
      const byId = Map.groupBy(turns, conversationOf)
      return every(turns, (turn) => {
        const same = byId.get(conversationOf(turn))?.length
        return check(
          same === 1,
          'a conversation of its own',
          `${conversationOf(turn)} for ${same} of them`,
          turn,
        )
      })
    },
  )
}
