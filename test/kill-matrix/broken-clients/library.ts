/** What copies get wrong that say they are the library of the contract. */
import type { BrokenClient } from './patch.ts'

export const brokenLibraries: Readonly<Record<string, BrokenClient>> = {
  'is no library, and has the members of the wire': {
    as: 'library',
    patches: [],
    found: { 'LIB-CAMEL-CASE': 'fail', 'LIB-STREAM-CAMEL-CASE': 'fail' },
  },
  'is a library that wraps what it reads': {
    as: 'library',
    patches: [
      [
        'result: await billing(service, task.read, task.limit)',
        'result: { data: await billing(service, task.read, task.limit) }',
      ],
    ],
    found: { 'LIB-BILLING': 'fail', 'LIB-CAMEL-CASE': 'fail', 'LIB-STREAM-CAMEL-CASE': 'fail' },
  },
}
