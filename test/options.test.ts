import { afterEach, expect, test, vi } from 'vitest'
import { oneOf, optionsOf, whole } from './options.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.for<[string, () => unknown, string]>([
  ['no number', () => whole('seeds', 'x'), 'error: --seeds x: give a whole number above 0.'],
  ['nothing', () => whole('seeds', '0'), 'error: --seeds 0: give a whole number above 0.'],
  ['a part', () => whole('seeds', '1.5'), 'error: --seeds 1.5: give a whole number above 0.'],
  ['another name', () => oneOf('--only', 'c', ['a', 'b']), 'error: --only c: there is none; give a, b.'],
  ['another option', () => optionsOf({ args: ['--c'], options: {} }), "error: Unknown option '--c'"],
])('%s ends the command with one line and exit code 2', ([, read, reported]) => {
  const line = vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`)
  })
  expect(read).toThrow('ended with 2')
  expect(line.mock.calls[0]?.[0]).toMatch(reported)
})

test('what fits is given back', () => {
  expect([whole('seeds', '20'), oneOf('--only', 'b', ['a', 'b'])]).toEqual([20, 'b'])
  expect(optionsOf({ args: ['--c', '1'], options: { c: { type: 'string' } } }).values).toEqual({ c: '1' })
})
