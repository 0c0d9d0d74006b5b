import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { sealedRun, type SealedRun } from '../../test/bundle/sealed-run.ts'
import { writeManyRuns } from './many-runs.ts'

let base: SealedRun
beforeAll(async () => void (base = await sealedRun()))
afterAll(() => base.remove())

test('every bundle that is written is one that counts', async () => {
  const runs = join(base.root, 'runs')
  writeManyRuns(base.path, runs, { count: 25, until: Date.now(), signer: null })
  const { out } = await run(['site', runs, '--out', join(base.root, 'public'), '--json'])
  expect(JSON.parse(out)).toMatchObject({ counted: 25, targets: 2, notCounted: [] })
})
