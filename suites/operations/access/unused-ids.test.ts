import { expect, test } from 'vitest'
import { unusedIdLike } from './unused-ids.ts'

const pick = (below: number): number => below - 1

test.for(['task_6f9ObriaAu63BkLs', '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11', 'tsk.01JD5Z3N8QW4RTXY2VAB7CDEFG'])(
  '%s is another id by one character of the same kind, which is neither first nor last',
  (id) => {
    const other = unusedIdLike({ pick }, id)
    const at = id.split('').flatMap((character, i) => (character === other.charAt(i) ? [] : [i]))
    const [place = 0] = at
    expect([other.length, at.length]).toEqual([id.length, 1])
    expect(place).toBeGreaterThan(4)
    expect(place).toBeLessThan(id.length - 1)
    for (const kind of [/\d/, /[a-f]/i, /[g-z]/i, /[a-z]/, /[A-Z]/])
      expect(kind.test(other.charAt(place))).toBe(kind.test(id.charAt(place)))
  },
)

test.for(['17', 'task-1041', '00000000001041'])('%s, which may be counted up, gets longer', (id) => {
  const other = unusedIdLike({ pick }, id)
  expect(other.startsWith(id)).toBe(true)
  expect(other).toHaveLength(id.length + 9)
})
