import { expect, test } from 'vitest'
import { htmlPage } from '../html/page.ts'
import { everyVerdict, runOf } from '../testing/run.testkit.ts'
import { renderText } from '../text/summary.ts'

const staging = { name: 'acme', kind: 'staging', baseUrl: 'https://staging.example' } as const

test.for([
  [
    {},
    'acme (staging) at https://staging.example\n',
    '</code>: version not declared: set <code>implementation.version</code> in the target file</p>',
  ],
  [
    { organization: 'Acme', project: 'chat-api', version: '4.12.3' },
    'acme (staging) at https://staging.example: Acme chat-api 4.12.3\n',
    '</code>: Acme chat-api 4.12.3</p>',
  ],
  [
    { modifications: ['--fault done-twice', '--legacy'] },
    'acme (staging) at https://staging.example: --fault done-twice --legacy\n',
    '</code>: --fault done-twice --legacy; version not declared',
  ],
  [{ version: '<4\u001b[2J' }, 'acme (staging) at https://staging.example: <4', '</code>: &lt;4'],
] as const)('%j is reported beside the address', ([implementation, line, markup]) => {
  const run = runOf(everyVerdict(), { target: { ...staging, ...implementation } })
  expect(renderText(run, { colour: false, width: 80, folder: 'out' })).toContain(line)
  expect(String(htmlPage.render(run))).toContain(`<code>https://staging.example${markup}`)
})
