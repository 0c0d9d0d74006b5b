import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inOrder, readCompose, runWords } from './compose.ts'

const path = join(import.meta.dirname, '../../deploy/compose.postgres.yaml')
const variables = { CONTROL_TOKEN: 'token', PGPASSWORD: 'password', SEED: 'seed' }

test('a compose file becomes options of docker run, services after those that they depend on', () => {
  const compose = readCompose(path, variables)
  expect(inOrder(compose)).toEqual(['database', 'simulator-1', 'simulator-2', 'nginx'])
  for (const service of Object.values(compose.services)) {
    const words = runWords(path, service)
    expect(words).toEqual(expect.arrayContaining(['--read-only', '--cap-drop', 'ALL', service.image]))
    expect(words.join(' ')).not.toMatch(/\$\{|undefined|object/)
  }
})

test('a missing variable is an error with the message of the file', () => {
  const { SEED, ...others } = variables
  expect(SEED).toBe('seed')
  expect(() => readCompose(path, others)).toThrow('SEED: set it to the output of openssl rand -hex 16')
})

test('a key that the rig does not know is an error', () => {
  const service = { image: 'touchstone:local', privileged: true }
  expect(() => runWords(path, service)).toThrow('has the key privileged')
})
