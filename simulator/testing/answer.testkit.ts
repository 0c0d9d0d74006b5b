/** What is wrong with the body of an answer, by the schema that spec/control.yaml gives it; null for nothing. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import control from '../../spec/schemas/control.json' with { type: 'json' }
import replyRule from '../../spec/schemas/reply-rule.json' with { type: 'json' }

const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }))
ajv.addSchema(replyRule).addSchema(control)

export type ControlSchema = keyof (typeof control)['$defs']

export function misfits(schema: ControlSchema, body: unknown): readonly ErrorObject[] | null {
  void ajv.validate(`${control.$id}#/$defs/${schema}`, body)
  return ajv.errors ?? null
}
