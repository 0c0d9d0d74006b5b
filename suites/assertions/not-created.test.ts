import { expect, test } from 'vitest'
import { answer, jsonAnswer } from './exchange.testkit.ts'
import { notCreated } from './not-created.ts'
import { createdWebhook } from '../webhooks/assertions/management/webhook-record.ts'

const stanza = 'declare it as webhooks.create.members or webhooks.create.headers'
const fewer = 'lower receiver.scenariosAtOnce'

test.for([
  [422, '{"error":"enabled is required"}\nmore', '422: {"error":"enabled is required"}; if', stanza],
  [422, '{\n "error": "enabled is required"\n}\n', '422: {"error":"enabled is required"}; if', stanza],
  [403, 'no token against forged requests', '403: no token', stanza],
  [400, 'An agent may have at most 5 webhooks.', '400: An agent', fewer],
  [409, '', '409; where', fewer],
  [500, 'oops', '500: oops', ''],
  [201, '{}', '201, without the strings', ''],
] as const)(
  'a creation that was answered %i is reported with its first line and what to do: %s',
  ([status, body, said, todo]) => {
    const words = notCreated(answer(body, { status, name: 'hook' }))
    expect(words).toContain(`\`hook\` was answered ${said}`)
    expect(words).toContain(todo)
    expect(words.includes('declare') || words.includes('lower')).toBe(todo !== '')
    expect(words).not.toContain('more\n')
  },
)

test.for([
  [{ error: 'enabled is required' }, 'inconclusive'],
  [{ error: 'endpoint_url: does not answer' }, 'fail'],
  [{ error: 'No such event.' }, 'fail'],
] as const)(
  'a creation refused for want of a member that nobody knows of is no failure: %j',
  ([body, is]) => {
    expect(createdWebhook(jsonAnswer(body, { status: 400 })).is).toBe(is)
  },
)
