import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scenarioNames } from '../../simulator/index.ts'
import { run } from '../process.double.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'touchstone-scenario-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('touchstone scenario check', () => {
  it.each<[what: string, text: string, lines: readonly string[]]>([
    [
      'everything that does not fit, each in its line',
      '# a comment\n- match: { agnt: x }\n  reply: {}\n- match: {}\n  reply:\n    text: 3\n    actions:\n      - name: x\n- match: {}\n',
      [
        ':2: scenario 1 at /match has the unknown member agnt (did you mean agent?)',
        ':6: scenario 2 at /reply/text must be string',
        ":8: scenario 2 at /reply/actions/0 must have required property 'actionName'",
        ':8: scenario 2 at /reply/actions/0 has the unknown member name (did you mean actionName?)',
        ":9: scenario 3 must have required property 'reply'",
      ],
    ],
    [
      'what stands in a file of one scenario',
      'match: {}\nreply:\n  credits: -1\n',
      [':3: scenario 1 at /reply/credits must be >= 0'],
    ],
    [
      'what stands in JSON',
      '[\n  { "match": { "nth": 0 },\n    "reply": 3 }\n]',
      [':2: scenario 1 at /match/nth must be >= 1', ':3: scenario 1 at /reply must be object'],
    ],
  ])('says %s', async (_, text, lines) => {
    const file = join(folder, 'bad.yaml')
    writeFileSync(file, text)
    const { code, out } = await run(['scenario', 'check', file])

    expect(out.trimEnd().split('\n')).toEqual(lines.map((line) => file + line))
    expect(code).toBe(2)
  })

  it('has nothing to say of a file that fits', async () => {
    const file = join(folder, 'good.yaml')
    writeFileSync(
      file,
      'match: { message: { contains: order } }\nreply: { text: Yes., events: [order.confirmed] }\n',
    )

    expect(await run(['scenario', 'check', file])).toEqual({
      code: 0,
      out: '',
      err: `${file}: 1 scenario, and nothing wrong.\n`,
    })
  })
})

it('touchstone scenario list has every name, and what each shows', async () => {
  const { out } = await run(['scenario', 'list', '--json'])
  const rows = JSON.parse(out) as { name: string; shows: string }[]

  expect(rows.map(({ name }) => name)).toEqual(scenarioNames)
  expect((await run(['scenario', 'list'])).out).toContain(
    'Shows: the button of an earlier presentation is stale;',
  )
})
