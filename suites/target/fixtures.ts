/** Objects that stand ready on the target. */
import { mapped, named, valueAt, type Reading } from './reading.ts'
import type { Fixtures } from './target.ts'
import { filled } from './template.ts'
import type { TargetFile } from './written.ts'

/** A plea that most agents understand. `{text}` stands for the text. */
export const plainEcho = 'Please repeat this: {text}'

/** `ids`: agent ids by name. */
export function fixturesIn(
  { fixtures = {} }: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Fixtures {
  const { messages = {}, echo, operations = {} } = fixtures
  return {
    messages,
    echo: echo
      ? {
          agent: named(echo.agent ?? 'plain', ids, ['fixtures', 'echo', 'agent'], reading),
          message: echo.message ?? plainEcho,
        }
      : null,
    operations: Object.values(
      mapped(operations, (written, name) => ({
        ...written,
        name,
        input: filled(written.input, { agentId: ids['plain'] ?? '' }),
        id: valueAt(written.id, ['fixtures', 'operations', name, 'id'], reading),
      })),
    ),
  }
}
