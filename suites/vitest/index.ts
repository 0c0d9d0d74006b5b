/** The suites in vitest. For a test file: `describeContract(target)`. */
export { describeContract, type ContractOptions } from './describe-contract.ts'
export { bareTarget } from '../target/bare.ts'
export { loadTarget } from '../target/file.ts'
export type { Target } from '../target/target.ts'
