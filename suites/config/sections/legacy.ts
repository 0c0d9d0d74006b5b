/** The keys of the older chat variant, each made for one agent. */
import { complain, named, headerValueAt, type Reading } from '../file/reading.ts'
import type { Legacy, TargetFile } from '../target.ts'

/** `ids`: agent ids by name. */
export function legacyIn(
  { legacy, features }: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Legacy | null {
  if (!legacy) {
    if (features?.legacy === 'supported')
      complain(
        ['features', 'legacy'],
        'is supported, but there is no key to ask with; add legacy.keys.plain, or take it out',
        reading,
      )
    return null
  }
  if (features?.legacy !== 'supported')
    complain(
      ['legacy'],
      'has keys, but features.legacy is not supported, so that nothing would be asked with them; declare it, or take the keys out',
      reading,
    )
  const keys = Object.entries(legacy.keys).map(([agent, written]) => {
    const path = ['legacy', 'keys', agent]
    return {
      name: agent,
      agent: named(agent, ids, path, reading),
      bearer: headerValueAt(written, path, reading),
    }
  })
  return { keys }
}
