/** Formats a reply file: YAML, with the notes of each turn as comments. */
import { Document, isNode, isSeq } from 'yaml'
import type { ReplyRule } from '../../simulator/index.ts'
import type { Row } from './conversation.ts'

export function replyFileText(rows: readonly Row[]): string {
  const turns = rows.filter((row): row is Row & { rule: ReplyRule } => row.rule !== null)
  const document = new Document(turns.map(({ rule }) => rule))
  document.commentBefore = [' Recorded by touchstone replies record.', ...commentsOf(reasons(rows))].join(
    '\n',
  )
  const items = isSeq(document.contents) ? document.contents.items : []
  items.forEach((item, index) => {
    const notes = turns[index]?.notes ?? []
    const tokens = document.getIn([index, 'reply', 'tokens'], true)
    if (isSeq(tokens)) tokens.flow = true
    if (isNode(item) && notes.length > 0) item.commentBefore = commentsOf(notes).join('\n')
  })
  return document.toString({ lineWidth: 0 })
}

const reasons = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ rule, notes }) => (rule ? [] : notes))

/** One line for each note. */
const commentsOf = (notes: readonly string[]): readonly string[] =>
  notes.map((note) => ` ${note.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`)
