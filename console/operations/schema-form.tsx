/** A form for an input that a JSON Schema describes: a field for each member, with a value that fits where one is required. */
import { parsed } from '../state/api.ts'
import { Input, Select, sameNames } from '../ui/controls.tsx'

export interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Of members whose pattern no rule below fits; of one operation only, with its id. */
const samples: Readonly<Record<string, string>> = {
  customerId: 'cus_1001',
  paymentId: 'pay_1001',
  period: '2026-01',
  email: 'ada@example.com',
  url: 'https://example.com/',
  fileName: 'prices.txt',
  contentType: 'text/plain',
  'knowledge.upload_spreadsheet contentType': 'text/csv',
}
const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
}

function sampleOf(name: string, schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return [sampleOf(name, schema.items ?? {})]
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((member) => [member, sampleOf(member, schema.properties?.[member] ?? {})]),
    )
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return samples[name] ?? formats[schema.format ?? ''] ?? 'Example'
}

/** What stands in each field; empty leaves a member out. */
export type Fields = Readonly<Record<string, string>>

const isText = ({ type }: Schema): boolean => type === 'string' || type === undefined

export const fieldsOf = (operation: string, { properties = {}, required = [] }: Schema): Fields =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!required.includes(name)) return [name, '']
      const sample = samples[`${operation} ${name}`] ?? sampleOf(name, schema)
      return [name, isText(schema) ? String(sample) : JSON.stringify(sample)]
    }),
  )

/** Values that are no texts are JSON; what is none is sent as it is, so that one sees how the service refuses it. */
export const inputOf = ({ properties = {} }: Schema, fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, isText(properties[name] ?? {}) || !isJson(text) ? text : parsed(text)]),
  )

const isJson = (text: string): boolean => parsed(text) !== undefined

interface SchemaFormProps {
  readonly schema: Schema
  readonly fields: Fields
  readonly onChange: (fields: Fields) => void
}

export function SchemaForm({
  schema: { properties = {}, required = [] },
  fields,
  onChange,
}: SchemaFormProps) {
  return (
    <div class="fields">
      {Object.entries(properties).map(([name, schema]) => {
        const label = required.includes(name) ? `${name} *` : name
        const set = (text: string): void => onChange({ ...fields, [name]: text })
        const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined)
        if (choices)
          return (
            <Select
              key={name}
              label={label}
              value={fields[name] ?? ''}
              options={{ '': '–', ...sameNames(choices) }}
              onChange={set}
            />
          )
        const value = fields[name] ?? ''
        const isOdd = value !== '' && !isText(schema) && !isJson(value)
        return (
          <Input
            key={name}
            label={isOdd ? `${label} (no JSON: is sent as text)` : label}
            class="grow"
            placeholder={isText(schema) ? (schema.format ?? schema.pattern ?? '') : `${schema.type}, as JSON`}
            value={value}
            onChange={set}
          />
        )
      })}
    </div>
  )
}
