export { badgeFiles } from './badges.ts'
export { statementPage, statementTitle } from './page.ts'
export { certificationRefusal } from './refusal.ts'
export { testResultOf } from './test-result.ts'
