import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { publicHalf } from '../bundle/sealed-run.ts'
import { runsFolder, type RunsFolder } from '../runs-site/folder.ts'
import { forgeries } from '../runs-site/forgeries.ts'
import { year } from '../runs-site/honest-runs.ts'

const page = readFileSync(new URL('../../docs/site.md', import.meta.url), 'utf8')
const home = process.cwd()
let made: RunsFolder
beforeAll(async () => {
  made = await runsFolder()
  const place = made.place(made.withRuns(...year))
  forgeries['a run was copied']?.act(place)
  renameSync(place.runs, join(made.root, 'runs'))
  writeFileSync(join(made.root, 'release.pub.pem'), readFileSync(publicHalf(made.keys.own)))
  process.chdir(made.root)
})
afterAll(() => {
  process.chdir(home)
  made.remove()
})

test('the command on the page prints what it shows, and its JSON has the list that a CI job looks at', async () => {
  const [, command = '', shown] =
    /^```console\n\$ npx @touchstone-suite\/touchstone (.*?)\n(.*?)^```/ms.exec(page) ?? []
  const { code, out, err } = await run(command.split(' '))
  expect({ code, printed: out + err }).toEqual({ code: 0, printed: shown })

  const [, other = ''] =
    /^npx @touchstone-suite\/touchstone (.*) \| jq -e '\.notCounted == \[\]'$/m.exec(page) ?? []
  expect(JSON.parse((await run(other.split(' '))).out)).toMatchObject({
    notCounted: [{ place: 'archive/deep/copy', why: 'a copy of 1.0, which counts' }],
  })
})
