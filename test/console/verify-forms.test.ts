/** The programs that the console shows for a delivery: each runs, and distinguishes genuine bytes from altered ones. */
import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, onTestFinished } from 'vitest'
import { verifyForms } from '../../console/webhooks/verify-forms.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const run = promisify(execFile)

/** By language: the file, and the command that runs it. */
const programs: Readonly<Record<keyof typeof verifyForms, readonly [file: string, ...command: string[]]>> = {
  Node: ['verify.mjs', process.execPath],
  Python: ['verify.py', 'python3'],
}

const secret = 'whsec_sécrèt'
/** With bytes that a parser would change. */
const body = Buffer.from(`{ "a":1.0, "b":"\\u00e9é\u{1F600}", "c":"${'x'.repeat(70_000)}" }\n`)
const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

for (const [name, [file, command = '']] of Object.entries(programs))
  test.skipIf(spawnSync(command, ['--version']).error !== undefined)(
    `a delivery is verified in ${name}`,
    async () => {
      const folder = temporaryFolder(onTestFinished)
      const said = async (given: Buffer): Promise<string> => {
        const path = join(folder, file)
        writeFileSync(path, verifyForms[name]?.({ bodyBase64: given.toString('base64'), signature }) ?? '')
        const env = { ...process.env, WEBHOOK_SECRET: secret }
        return (await run(command, [path], { env })).stdout.trim()
      }
      expect(await said(body)).toBe('genuine')
      expect(await said(Buffer.from(JSON.stringify(JSON.parse(body.toString()))))).toBe('forged')
    },
    120_000,
  )
