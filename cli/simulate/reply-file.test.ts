import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

describe('touchstone replies check', () => {
  it.each<[what: string, text: string, lines: readonly string[]]>([
    [
      'every error with its line',
      '# a comment\n- match: { agnt: x }\n  reply: {}\n- match: {}\n  reply:\n    text: 3\n    actions:\n      - name: x\n- match: {}\n',
      [
        ':2: reply rule 1 at /match has the unknown member agnt (did you mean agent?)',
        ':6: reply rule 2 at /reply/text must be string',
        ":8: reply rule 2 at /reply/actions/0 must have required property 'actionName'",
        ':8: reply rule 2 at /reply/actions/0 has the unknown member name (did you mean actionName?)',
        ":9: reply rule 3 must have required property 'reply'",
      ],
    ],
    [
      'an error in a file of one reply rule',
      'match: {}\nreply:\n  credits: -1\n',
      [':3: the reply rule at /reply/credits must be >= 0'],
    ],
    [
      'errors in JSON',
      '[\n  { "match": { "nth": 0 },\n    "reply": 3 }\n]',
      [':2: reply rule 1 at /match/nth must be >= 1', ':3: reply rule 1 at /reply must be object'],
    ],
  ])('prints %s', async (_, text, lines) => {
    const file = join(folder, 'bad.yaml')
    writeFileSync(file, text)
    const { code, out } = await run(['replies', 'check', file])

    expect(out.trimEnd().split('\n')).toEqual(lines.map((line) => file + line))
    expect(code).toBe(2)
  })

  it('prints no error for a valid file', async () => {
    const file = join(folder, 'good.yaml')
    writeFileSync(
      file,
      'match: { message: { contains: order } }\nreply: { text: Yes., events: [order.confirmed] }\n',
    )

    expect(await run(['replies', 'check', file])).toEqual({
      code: 0,
      out: '',
      err: `${file}: 1 reply rule, no errors\n`,
    })
  })
})
