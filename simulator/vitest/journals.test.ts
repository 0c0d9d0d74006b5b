import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { createSimulator } from '../simulator.ts'
import { folderVariable, journalsIn, journalWriter } from './journals.ts'

const folder = temporaryFolder()

test('the reporter gets credentials that tests do not read', async () => {
  vi.stubEnv(folderVariable, folder)
  const simulator = await createSimulator(journalWriter(undefined))
  const { tenant } = simulator
  const authorization = `Bearer ${tenant.keys.main}`
  await fetch(`${tenant.url}/api/v1/agents`, { headers: { authorization } })
  await tenant.journal.waitFor({})
  const read = tenant.journal.entries()
  await simulator.close()
  const written = journalsIn(folder).flatMap(({ entries }) => entries)
  const shown = [read, written].map((entries) => entries.flatMap(({ headers }) => headers))
  expect(shown[0]).toContainEqual(['authorization', 'Bearer [[key:main]]'])
  expect(shown[1]).toContainEqual(['authorization', authorization])
})
