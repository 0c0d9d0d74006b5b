import { describe, expect, test } from 'vitest'
import { variants, type VariantId } from '../simulator/index.ts'
import { line, simulatedRun } from './simulated-run.ts'

const variantIds = Object.keys(variants) as VariantId[]

describe('an unusual but conforming server stays green', () => {
  test.concurrent.for(variantIds)('%s', async (id) => {
    const run = await simulatedRun({ variants: [id] })
    const red = run.record.findings.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    expect(red.map(line)).toEqual([])
  })
})
