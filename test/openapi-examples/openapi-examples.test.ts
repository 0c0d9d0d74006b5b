/** Every example of a response in spec/openapi.yaml is a response of the simulator, but for what it draws. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createSimulator } from '../../simulator/index.ts'
import { callerOf, type Provoked } from './caller.ts'
import { chatExamples } from './chat.ts'
import { operationExamples } from './operations.ts'
import { olderExamples, webhookExamples } from './webhooks.ts'

const noOutage = 'the simulator fails no request of these routes'
const provoked = { ...chatExamples, ...operationExamples, ...webhookExamples, ...olderExamples }

/** Examples that the simulator never gives, each with the reason. */
const never: Readonly<Record<string, string>> = {
  'executeOperation 200 UPLOAD_RENEWAL_INCOMPLETE': 'the simulator has uploads at routes of their own',
  'OperationServerError failed': noOutage,
  'OperationUnavailable unavailable': noOutage,
  'WebhookServerError failed': noOutage,
  'WebhookLimited limited': 'the simulator limits no request of these routes',
}

interface Response {
  $ref?: string
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>
}
interface Document {
  paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}
const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8')) as Document

const examplesOf = ([where, { content = {} }]: readonly [string, Response]): [string, unknown][] =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([name, { value }]): [string, unknown] => [`${where} ${name}`, value]),
  )

const ofRoutes = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId = '', responses = {} }) =>
    Object.entries(responses).map(([status, response]) => [`${operationId} ${status}`, response] as const),
  )
const documented = new Map(
  [...ofRoutes, ...Object.entries(document.components.responses)].flatMap(examplesOf),
)

/** The status of a shared response, which only the routes that refer to it have. */
function statusOf(name: string): number {
  const [where = '', status = ''] = name.split(' ')
  if (/^\d+$/.test(status)) return Number(status)
  const [found = ''] = ofRoutes.find(([, { $ref }]) => $ref === `#/components/responses/${where}`) ?? []
  return Number(found.split(' ')[1])
}

/** What differs from tenant to tenant, as what it is. */
const drawn: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'a UUID'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time'],
  [/whsec_[0-9a-f]{64}/g, 'a secret'],
  [/\*{4}[0-9a-f]{4}/g, 'the end of a secret'],
  [/\b(agent|appr|msg|task|test|wh)_\w+/g, 'an id'],
]
const comparable = (text: string): string =>
  drawn.reduce((masked, [pattern, what]) => masked.replaceAll(pattern, what), text)

/** The JSON of a body, or of each event of a stream. */
const bodyOf = (text: string): unknown =>
  text.startsWith('data: ')
    ? text.split('\n\n').flatMap((event) => (event.trim() === '' ? [] : [JSON.parse(event.slice(6))]))
    : JSON.parse(text)

test('every example of a response is in one of the tables, and no other', () => {
  expect(Object.keys({ ...provoked, ...never }).toSorted()).toEqual([...documented.keys()].toSorted())
})

test.for(Object.entries<Provoked>(provoked))('%s', async ([name, provoking]) => {
  const [interpretations, by] = typeof provoking === 'function' ? [{}, provoking] : provoking
  await using simulator = await createSimulator({ clock: { mode: 'frozen' }, interpretations })
  simulator.tenant.setCredits('main', 100)
  const { status, text } = await by(callerOf(simulator.tenant))
  const example = documented.get(name)
  const expected = typeof example === 'string' ? example : JSON.stringify(example)
  expect({ status, body: bodyOf(comparable(text)) }).toEqual({
    status: statusOf(name),
    body: bodyOf(comparable(expected)),
  })
})
