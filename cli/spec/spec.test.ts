import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { contractIdentifiers, identifiersOf } from '../../spec/identifiers.ts'
import { renameIdentifiers } from '../../spec/rename-identifiers.ts'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const written = ['asyncapi.json', 'asyncapi.yaml', 'openapi.json', 'openapi.yaml']
const words = ['service', 'acme', 'acme-corp', 'a2z']

function folder(): string {
  const made = temporaryFolder(onTestFinished)
  return made
}

const textOf = (out: string, name: string): string => readFileSync(join(out, name), 'utf8')
const spec = (out: string, ...more: string[]) => run(['spec', '--out', out, ...more])

describe('touchstone spec', () => {
  it.each(words)(
    'writes both documents with the identifiers of %s, as YAML and the same as JSON',
    async (vendor) => {
      const out = folder()
      const { code, out: printed } = await spec(out, '--vendor', vendor)
      expect({ code, files: readdirSync(out) }).toEqual({ code: 0, files: written })
      expect(printed.trim().split('\n')).toHaveLength(4)

      const { replayHeader, signatureHeader, deliveryIdHeader, eventHeader, userAgent } =
        identifiersOf(vendor)
      const [asyncapi = '', , openapi = ''] = written.map((name) => textOf(out, name))
      expect(openapi).toContain(`"${replayHeader}":`)
      for (const name of [signatureHeader, deliveryIdHeader, eventHeader])
        expect(asyncapi).toContain(`"${name}": `)
      expect(asyncapi).toContain(`"const": "${userAgent}"`)
      const left = Object.values(contractIdentifiers).filter((one) => (openapi + asyncapi).includes(one))
      expect(left.length > 0).toBe(vendor === 'service')
      for (const name of ['openapi', 'asyncapi'])
        expect(parse(textOf(out, `${name}.yaml`))).toEqual(JSON.parse(textOf(out, `${name}.json`)))
    },
  )

  it('replaces what it wrote, and files of others only with --force', async () => {
    const out = folder()
    await spec(out)
    expect((await spec(out, '--vendor', 'acme')).code).toBe(0)
    expect(textOf(out, 'openapi.yaml')).toContain('X-Acme-Idempotent-Replay')
    writeFileSync(join(out, 'openapi.json'), '{"openapi": "3.1.0", "info": {"title": "touchstone spec"}}')
    const before = textOf(out, 'asyncapi.yaml')
    expect(await spec(out, '--vendor', 'a2z')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /did not write .*openapi\.json; give another folder, or replace it with --force/,
      ),
    })
    expect(textOf(out, 'asyncapi.yaml')).toBe(before)
    expect((await spec(out, '--vendor', 'a2z', '--force')).code).toBe(0)
    expect(textOf(out, 'openapi.json')).toContain('X-A2z-Idempotent-Replay')
  })

  it.each([
    [['--vendor', 'a b'], /vendor is "a b"/],
    [
      ['--out', join(fileURLToPath(import.meta.url), 'x')],
      /cannot be written \(its path leads through a file\)/,
    ],
  ])('%j is a usage error', async (more, words) => {
    expect(await spec(folder(), ...more)).toMatchObject({ code: 2, err: expect.stringMatching(words) })
  })

  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const config = fileURLToPath(new URL('../../spec/redocly.yaml', import.meta.url))

  it.each(['acme-corp', 'a2z'])('of %s has no findings of redocly', async (vendor) => {
    const out = folder()
    await spec(out, '--vendor', vendor, '--identifier', 'userAgent=Own: #1 "x"/2')
    const files = written.map((name) => join(out, name))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const linted = promisify(execFile)(process.execPath, [redocly, 'lint', '--config', config, ...files], {
      env,
    })
    await expect(linted).resolves.toMatchObject({ stderr: expect.stringContaining('Your API') })
  })
})

const swapped = {
  ...contractIdentifiers,
  signatureHeader: 'x-service-event',
  eventHeader: 'x-service-signature',
}

it.each([
  ['x-service-signature and x-service-event', 'x-service-event and x-service-signature'],
  ['`x-service-event`.', '`x-service-signature`.'],
  ['x-service-events, my-x-service-event', 'x-service-events, my-x-service-event'],
  ['The service, a Service, service-client', 'The service, a Service, service-client'],
])('an identifier in a text %j is replaced whole and once', (text, expected) => {
  expect(renameIdentifiers({ [text]: [text, 1, null] }, swapped)).toEqual({ [expected]: [expected, 1, null] })
})
