import { expect, test } from 'vitest'
import { brunoCollection } from '../../scripts/collections/bruno.ts'
import { postmanCollection } from '../../scripts/collections/postman.ts'
import { uncollected, requests, variables } from '../../scripts/collections/requests.ts'

test('every operation of the contract has a request, but those of the older variant', () => {
  expect(uncollected.flatMap(({ tags }) => tags)).toEqual(['older variant', 'older variant'])
})

test('both collections have every request, with variables that something sets', () => {
  const [postman, bruno] = [JSON.stringify(postmanCollection('Service')), brunoCollection('Service')]
  const known = [...Object.keys(variables), ...requests.flatMap(({ saves }) => Object.keys(saves)), '$guid']
  for (const { name, path } of requests) {
    expect(postman).toContain(`{{baseUrl}}${path}`)
    expect(Object.keys(bruno).some((file) => file.endsWith(`${name}.bru`))).toBe(true)
  }
  for (const text of [postman, ...Object.values(bruno)])
    for (const [, name] of text.matchAll(/\{\{([$\w]+)\}\}/g)) expect(known).toContain(name)
})

test('what is billed or executed has a fresh idempotency key, and none in its body', () => {
  const keyed = requests.filter(({ headers }) => headers['Idempotency-Key'] === '{{$guid}}')
  const paths = ['/api/v1/chat/', '/api/v1/operation-executions/']
  const needed = requests.filter(({ path }) => paths.some((start) => path.startsWith(start)))
  expect(keyed).toEqual(needed)
  expect(JSON.stringify(requests)).not.toContain('idempotency_key')
})
