import { expect, test } from 'vitest'
import { connectionsMost, limitIn } from './descriptors.ts'

test('the limit that counts is the one that holds now, not the one it could be raised to', () => {
  const lines = [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             4096                 8192                 processes ',
    'Max open files            1024                 524288               files     ',
  ]
  expect(limitIn(lines.join('\n'))).toBe(1024)
  expect(limitIn('Max open files            unlimited            unlimited            files')).toBeNull()
})

test('some descriptors are spared for what is no client, where there are few not more than half', () => {
  expect([20_000, 300, 100].map(connectionsMost)).toEqual([19_872, 172, 50])
})
