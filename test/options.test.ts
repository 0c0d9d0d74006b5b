import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const main = (name: string): string => fileURLToPath(new URL(`./${name}/main.ts`, import.meta.url))

test.concurrent.for([
  ['power', ['--seeds', 'x'], 'error: --seeds x: give a whole number above 0.\n'],
  ['fuzz', ['--only', 'nope'], 'error: --only nope: there is none; give '],
  ['mutation', ['suites/judge/nope.ts'], 'error: suites/judge/nope.ts: there is no such file; '],
] as const)('%s refuses %j in one line, before it does anything', async ([name, options, told]) => {
  const [code, out, err] = await new Promise<readonly [unknown, string, string]>((resolve) => {
    execFile(process.execPath, [main(name), ...options], (error, ...written) =>
      resolve([error?.code, ...written]),
    )
  })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err.startsWith(told)).toBe(true)
  expect(err.trim().split('\n')).toHaveLength(1)
})
