/** Objects that stand ready on the target. */
import { mapped, named, valueAt, type Reading } from '../file/reading.ts'
import type { Fixtures, TargetFile } from '../target.ts'
import { fillTemplate } from '../template.ts'

/** A plea that most agents understand. `{text}` is replaced by the text. */
export const plainEcho = 'Please repeat this: {text}'

/** What most agents make of this is the word. */
const plainRemember = 'Please remember this word: {text}'
const plainAsk = 'Which word did I ask you to remember?'

/** `ids`: agent ids by name. */
export function fixturesIn(
  { fixtures = {} }: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Fixtures {
  const { messages = {}, echo, recall, operations = {} } = fixtures
  const agentOf = (name: string | undefined, fixture: string): string =>
    named(name ?? 'plain', ids, ['fixtures', fixture, 'agent'], reading)
  return {
    messages,
    echo: echo ? { agent: agentOf(echo.agent, 'echo'), message: echo.message ?? plainEcho } : null,
    recall: recall
      ? {
          agent: agentOf(recall.agent, 'recall'),
          tell: recall.tell ?? plainRemember,
          ask: recall.ask ?? plainAsk,
        }
      : null,
    operations: Object.values(
      mapped(operations, (written, name) => ({
        ...written,
        name,
        input: fillTemplate(written.input, { agentId: ids['plain'] ?? '' }),
        id: valueAt(written.id, ['fixtures', 'operations', name, 'id'], reading),
      })),
    ),
  }
}

/** Where each `doneWithinSeconds` is declared, as `file:line`, by the name of its operation. */
export function doneWithinPlaces(
  { fixtures: { operations = {} } = {} }: TargetFile,
  { sourced }: Reading,
): Readonly<Record<string, string>> {
  const declared = Object.keys(operations).filter((name) => operations[name]?.doneWithinSeconds !== undefined)
  const place = (name: string): string => sourced.at(['fixtures', 'operations', name, 'doneWithinSeconds'])
  return Object.fromEntries(declared.map((name) => [name, place(name)]))
}
