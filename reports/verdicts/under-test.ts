/** What is under test, in the words of its owner. */
import type { RunRecord } from '../bundle/record.ts'

/** Such as `Acme chat-api 4.12.3`, or how a simulator was switched; empty where nothing was declared. */
export function underTest({ organization, project, version, modifications }: RunRecord['target']): string {
  return [organization, project, version, ...(modifications ?? [])]
    .filter((part) => part !== undefined)
    .join(' ')
}
