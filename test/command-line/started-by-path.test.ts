import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test.for(['touchstone', 'service-client'])(
  '%s of a clone, started by its path, uses the private Node where the machine has an older one',
  (name) => {
    const path = process.env['PATH']?.split(':').filter((folder) => !folder.includes('node_modules'))
    const env = { PATH: path?.join(':'), HOME: process.env['HOME'] }
    const command = join(root, 'node_modules/.bin', name)
    expect(execFileSync(command, ['--version'], { env, encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+/)
  },
)
