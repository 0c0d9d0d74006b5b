export { badgeFiles } from './badges.ts'
export { statementPage, titleOf, type VerifiedBundle } from './page.ts'
export { refusalOf } from './refusal.ts'
export { testResultOf } from './test-result.ts'
