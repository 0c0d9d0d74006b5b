import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { scopes, states } from '../../../spec/index.ts'
import { defaultBudgets, defaultTiming, undeclared } from '../defaults.ts'
import { anyEvent, anyNear } from '../states.ts'
import { optIns, profiles } from '../target.ts'
import { featureIds } from '../features.ts'
import { environment, wholeFile } from './file.testkit.ts'
import { parseTarget } from './file.ts'
import { plainEcho } from '../sections/service.ts'
import schema from '../schema.json' with { type: 'json' }
import { namedIn, openIn, rootNode, whole, type SchemaNode } from './schema.ts'

/** Every key of a file, by its path; what is in a list or called by a name of the user's own is left out. */
function keys(node: SchemaNode, path = ''): readonly (readonly [path: string, node: SchemaNode])[] {
  return Object.entries(namedIn(node)).flatMap(([key, child]) => {
    const own = path === '' ? key : `${path}.${key}`
    return [[own, child] as const, ...keys(child, own)]
  })
}

const defaultsIn = (table: Readonly<Record<string, SchemaNode>>) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, one]) => ('default' in one ? [[key, one.default]] : [])),
  )

function deep(node: SchemaNode): readonly SchemaNode[] {
  const open = openIn(node)
  return [node, ...Object.values(namedIn(node)).flatMap(deep), ...(open ? deep(open) : [])]
}

test('the schema is right by its own rules, whichever reader holds it strictly', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false })
  expect(() => ajv.compile(schema)).not.toThrow()
})

test('the published schema knows the states, scopes, profiles and opt-ins of the contract and the suite', () => {
  const { properties, $defs } = schema
  expect(Object.keys(properties.states.properties).toSorted()).toEqual(
    [...Object.keys(states), anyEvent, anyNear].toSorted(),
  )
  for (const scope of scopes) expect($defs.principal.properties.scopes.description).toContain(`\`${scope}\``)
  expect(properties.profile.enum).toEqual(profiles)
  expect(properties.optIn.items.enum).toEqual(optIns)
  expect(defaultsIn(properties.budgets.properties)).toEqual(defaultBudgets)
  expect(defaultsIn(properties.timing.properties)).toEqual(defaultTiming)
})

test('the defaults that it gives are those of a file in which they are left out', () => {
  const file = `${wholeFile}\nfixtures: { echo: {} }`
  const target = parseTarget(file, 'target.yaml', environment)
  const { receiver, fixtures, features } = schema.properties
  expect(target.receiver).toMatchObject(defaultsIn(receiver.properties))
  expect(defaultsIn(fixtures.properties.echo.properties)).toEqual({ agent: 'plain', message: plainEcho })
  expect(target.fixtures.echo).toEqual({ agent: 'agent-1', message: plainEcho })
  expect(Object.keys(features.properties)).toEqual(featureIds)
  expect(target.features).toEqual(undeclared.features)
  expect(new Set(Object.values(target.features))).toEqual(new Set([schema.$defs.support.default]))
})

test('a file may name it in a key, and the package gives it by name', () => {
  const target = parseTarget(wholeFile, 't.yaml', environment)
  const named = `$schema: ./node_modules/@touchstone-suite/touchstone/suites/config/schema.json\n${wholeFile}`
  const { statePlaces: _, ...same } = target
  expect(parseTarget(named, 't.yaml', environment)).toMatchObject(same)
  const path = packageJson.exports['./target.schema.json']
  expect(packageJson.files).toContain(path.replace('./', ''))
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema)
})

test('no object lets unknown keys through but those with names of the user’s own', () => {
  const lax = deep(rootNode).filter((node) => {
    const { properties, additionalProperties } = whole(node)
    return properties !== undefined && additionalProperties === undefined
  })
  expect(lax).toEqual([])
})

test('the example shows every key', () => {
  const example = readFileSync(new URL('../../../docs/target.example.yaml', import.meta.url), 'utf8')
  const shown = (path: string): boolean => new RegExp(`\\b${path.split('.').at(-1)}:`).test(example)
  const missing = keys(rootNode).filter(
    ([path]) => !/^(states\.|policy\.|\$schema)/.test(path) && !shown(path),
  )
  expect(missing.map(([path]) => path)).toEqual([])
})
