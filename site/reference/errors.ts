/** Error codes of the contract and exit codes of the commands, each with what to do. */
import { clientExitCodeHelp } from '../../client/command-line/exit-codes.ts'
import { exitCodeHelp } from '../../cli/exit-codes.ts'
import { areaOf, chatErrors, chatStatuses, receiptErrors } from '../../spec/index.ts'
import { anchored, anchorOf, codeSpan, fenced, markdownTable, paragraphs, markdownText } from './markdown.ts'

export function errorsPage(): string {
  const codes = Object.entries(chatErrors).flatMap(([code, { status, clause, meaning, advice }]) => [
    anchored(3, codeSpan(code), code),
    `Status ${status}. ${markdownText(meaning)} **What to do:** ${markdownText(advice)} Required by [${clause}](clauses/${areaOf[clause]}.md#${anchorOf(clause)}).`,
  ])
  const statuses = Object.entries(chatStatuses).map(([status, meaning]) => [status, markdownText(meaning)])
  const receipts = Object.entries(receiptErrors).map(([code, advice]) => [
    codeSpan(code),
    markdownText(advice),
  ])
  return paragraphs([
    '# Errors by code',
    '## Codes of the chat route',
    'The contract names these codes, and not the member of the body in which they are.',
    ...codes,
    '## Statuses of the chat route',
    markdownTable(['status', 'meaning'], statuses),
    '## Codes of a failed operation receipt',
    'The contract does not list all of them.',
    markdownTable(['code', 'what to do'], receipts),
    '## Exit codes of `touchstone`',
    fenced('text', exitCodeHelp.trim()),
    'The help of each [command](touchstone.md) has its own.',
    '## Exit codes of `service-client`',
    fenced('text', clientExitCodeHelp.trim()),
  ])
}
