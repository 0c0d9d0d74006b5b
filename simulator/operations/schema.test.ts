/** Every answer of operations is one that spec/openapi.yaml has, with a body of the schema it names there. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import operation from '../../spec/schemas/operation.json' with { type: 'json' }
import type { Interpretations } from '../../spec/index.ts'
import type { Json } from '../json.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { at, openProject, textAt, type Answered, type How, type Project } from './testing/project.testkit.ts'
import { samples } from './testing/samples.testkit.ts'

const ajv = new Ajv2020({ strict: true })
ajv.addKeyword({ keyword: 'x-gap', schemaType: ['string', 'array'] })
ajv.addSchema(operation)
const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8')) as Json

const open: Project[] = []
afterAll(() => Promise.all(open.map(({ simulator }) => simulator.close())))

/** The id of the schema of an answer; undefined where none is documented. */
function schemaOf(path: string, method: string, status: number): string | undefined {
  const documented = at(document, 'paths', path, method.toLowerCase(), 'responses', status)
  const name = at(documented, '$ref')
  const response =
    typeof name === 'string'
      ? at(document, 'components', 'responses', name.split('/').at(-1) ?? '')
      : documented
  const schema = at(response, 'content', 'application/json', 'schema', '$ref')
  return typeof schema === 'string' ? schema.replace('schemas/operation.json', operation.$id) : undefined
}

/** What is undocumented of an answer, in words; none where all of it is documented. */
function undocumented(path: string, method: string, { status, json, text }: Answered): readonly string[] {
  const schema = schemaOf(path, method, status)
  const asked = `${method} ${path}: ${status} ${text}`
  if (schema === undefined) return [`${asked} is not documented`]
  const validate = ajv.getSchema(schema)
  return validate?.(json) ? [] : [`${asked} ${JSON.stringify(validate?.errors)}`]
}

const execution = '/api/v1/operation-executions/{operationId}'
const hows: readonly How[] = [{}, { as: 'revoked' }, { as: 'noBilling' }, { as: 'oneAgent' }, { as: 'other' }]

const everyInterpretation: readonly [title: string, interpretations: Partial<Interpretations>][] = [
  ['by default', {}],
  [
    'in other interpretations',
    {
      'GAP-RECEIPT-SHAPE': 'nested',
      'GAP-RECEIPT-STATUS': 'always',
      'GAP-OPERATION-REFUSAL': 'receipt',
      'GAP-OPERATION-UNKNOWN': 'forbidden',
      'GAP-OPERATION-CONFLICT': 'replay',
      'GAP-TASK-FIELDS': 'receipt',
      'GAP-APPROVAL-FIELDS': 'receipt',
      'GAP-USAGE-SHAPE': 'more',
      'GAP-OTHER-RATES': 'same',
    },
  ],
]

/** Every route and every operation, asked by every key, as it should be and not. */
async function* asked(project: Project): AsyncGenerator<readonly [path: string, method: string, Answered]> {
  const { tenant } = project.simulator
  const inputs = samples(tenant.agents.plain)
  for (const how of hows) {
    for (const { id } of [...catalogue, { id: 'no.such' }]) {
      yield [execution, 'POST', await project.run(id, inputs[id] ?? {}, how)]
      yield [execution, 'POST', await project.run(id, 5, how)]
      yield [execution, 'POST', await project.run(id, inputs[id] ?? {}, { ...how, key: null })]
    }
    for (const path of ['/operations', '/billing/usage'])
      yield [`/api/v1${path}`, 'GET', await project.ask('GET', path, undefined, how)]
  }
  for (const { id } of tenant.tasks())
    for (const how of [{}, ...hows, {}, {}])
      yield ['/api/v1/tasks/{taskId}', 'GET', await project.task(id, how)]
  for (const [index, { id }] of tenant.approvals().entries()) {
    if (index > 0) tenant.decide(id, index > 1 ? 'rejected' : 'approved')
    for (const how of hows) yield ['/api/v1/approvals/{approvalId}', 'GET', await project.approval(id, how)]
  }
}

test.for(everyInterpretation)('every answer is documented, %s', async ([, interpretations]) => {
  const project = await openProject({ interpretations })
  open.push(project)
  const statuses = new Set<number>()
  const problems: string[] = []
  for await (const [path, method, answer] of asked(project)) {
    statuses.add(answer.status)
    problems.push(...undocumented(path, method, answer))
  }
  expect(problems).toEqual([])
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403]))
})

test('a refusal is as flat as those of chat, which no schema says', async () => {
  const project = await openProject()
  open.push(project)
  const answers = [
    await project.run('no.such'),
    await project.task('none'),
    await project.ask('GET', '/operations', undefined, { as: 'revoked' }),
  ]
  expect(answers.map((one) => textAt(one, 'error'))).toEqual(['NOT_FOUND', 'NOT_FOUND', 'INVALID_API_KEY'])
})
