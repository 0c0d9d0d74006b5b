import { expect, test } from 'vitest'
import { createCaller } from '../../chat/caller.testkit.ts'
import { workerIn } from '../testing/worker.testkit.ts'

test('a renewal whose approval was let go for newer ones is asked for once more', async () => {
  const { tenant } = createCaller({ retention: { approvals: { most: 1, ageMs: Infinity } } })
  const { prepare, upload, run } = workerIn(tenant)
  const asked = (): readonly string[] => tenant.approvals().map(({ operation }) => operation.id)
  await prepare('document', 'k')
  tenant.lapseUpload({ key: 'k prepare' })
  await upload('document', 'k')
  await run('customers.erase')
  expect(asked()).toEqual(['customers.erase'])
  await upload('document', 'k')
  expect(asked()).toEqual(['knowledge.upload_document'])
  tenant.decide(tenant.approvals()[0]?.id ?? '', 'approved')
  expect(await upload('document', 'k')).toMatchObject({ status: 'completed' })
})
