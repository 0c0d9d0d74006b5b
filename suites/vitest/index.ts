/** The suites in vitest. For a test file: `describeContract(target)`. */
export { describeContract, type ContractOptions } from './describe-contract.ts'
export { bareTarget } from '../config/bare.ts'
export { loadTarget } from '../config/file/file.ts'
export { findClauseSet } from '../policy/clause-set-file.ts'
export type { Target } from '../config/target.ts'
export { saveRun } from '../../bundle/write-run.ts'
