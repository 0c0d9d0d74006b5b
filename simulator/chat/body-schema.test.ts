import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { defaultInterpretations, limits } from '../../spec/index.ts'
import chat from '../../spec/schemas/chat.json' with { type: 'json' }
import type { JsonObject } from '../json.ts'
import { rulesOf } from '../base-rules.ts'
import { parseBody, readChatBody } from './body.ts'
import { isChatRefusal } from '../edge/refusal.ts'

const ajv = new Ajv2020({ strict: true })
addFormats.default(ajv)
ajv.addKeyword({ keyword: 'x-gap', schemaType: ['string', 'array'] })
const fits = ajv.addSchema(chat).getSchema(`${chat.$id}#/$defs/ChatRequest`)
const rules = rulesOf(defaultInterpretations)

const longest = limits.messageMaxCharacters
const wrong = fc.constantFrom(null, 0, 1, true, [], {}, ['x'])
const absent = fc.constant(undefined)
const lengths = fc.constantFrom(0, 1, 2, 300, longest - 1, longest, longest + 1)
const message = fc
  .tuple(lengths, fc.constantFrom('a', 'é', '世', '🙂'))
  .map(([length, letter]) => letter.repeat(length))
const conversation = fc.oneof(
  fc.uuid(),
  fc.constantFrom('', 'not-a-uuid', '123e4567-e89b-12d3-a456-42661417400'),
)
// Which types of interaction are refused is open, and the schema lets all of them through.
const interaction = fc.constant({ type: 'workflow_button', runId: 'r', nodeId: 'n', payload: 'p' })

const body = fc.record({
  message: fc.oneof({ weight: 6, arbitrary: message }, wrong, absent),
  conversation_id: fc.oneof(absent, conversation, wrong),
  stream: fc.oneof(absent, fc.boolean(), fc.constantFrom('true', null, 1)),
  interaction: fc.oneof(absent, interaction, fc.constantFrom('press', null, 3, [])),
  extra: fc.oneof(absent, fc.constant('anything')),
})

test('the table of body rules and the published schema say the same of every body', () => {
  const seen = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(body, (drawn) => {
      const sent = JSON.parse(JSON.stringify(drawn)) as JsonObject
      const refused = isChatRefusal(readChatBody({ body: sent, text: '' }, rules))
      expect({ sent, refused }).toEqual({ sent, refused: fits?.(sent) === false })
      seen[refused ? 'refused' : 'accepted'] += 1
    }),
    { numRuns: 500, seed: 1 },
  )
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20)
})

test.for([
  [20, false],
  [98, false],
  [99, true],
  [5_000, true],
] as const)('a payload of %i levels is refused as nested too deep: %j', ([levels, refused]) => {
  const payload = '['.repeat(levels) + ']'.repeat(levels)
  const text = `{"message":"Hi [[[\\"[[[","interaction":{"type":"workflow_button","payload":${payload}}}`
  const parse = vi.spyOn(JSON, 'parse')
  expect(isChatRefusal(parseBody(new TextEncoder().encode(text)))).toBe(refused)
  // Parsing it would take the time of everybody else.
  expect(parse).toHaveBeenCalledTimes(refused ? 0 : 1)
  parse.mockRestore()
})
