/** The simulator with all variants, in few runs. Each passes what the simulator passes without. */
import { variantFindings } from '../conformance/variants.ts'
import { variantGroups } from '../conformance/variant-groups.ts'
import { recorded, testVerdicts } from './verdicts.ts'

const groups = variantGroups().map(
  (ids) => [ids.join(' '), (seed: number) => variantFindings(ids, seed)] as const,
)
testVerdicts('variants', Object.fromEntries(groups), recorded('verdicts')['simulator'])
