/**
 * `npm run lab -- sigstore`: has `certify --sigstore` sign a statement, with the package that a user installs, against
 * stand-ins of Sigstore's services, and the project's own verifier accept it and refuse every change.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from '../../cli/process.testkit.ts'
import { withTenant } from '../../simulator/index.ts'
import { writeVersionTarget } from '../../test/certify/version-target.ts'
import { installTools } from '../tools.ts'
import { startServices } from './services.ts'
import { verifierFor } from './verifier.ts'

const tools = installTools(join(import.meta.dirname, 'tools'))
const installed = pathToFileURL(createRequire(join(tools, 'package.json')).resolve('sigstore')).href
// As if it were installed beside the command line.
registerHooks({
  resolve: (name, context, next) =>
    name === 'sigstore' ? { url: installed, shortCircuit: true } : next(name, context),
})

const root = mkdtempSync(join(tmpdir(), 'touchstone-sigstore-'))
const at = (name: string): string => join(root, name)
const services = await startServices(tools)
const identity = 'https://ci.example.com/acme/service/release.yml@refs/heads/main'
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
// Nothing here verifies the signature of the token: that is the work of the certificate authority.
const token = `${part({ alg: 'none' })}.${part({ iss: 'https://ci.example.com', aud: 'sigstore', sub: identity })}.x`

async function done(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  codes: readonly number[] = [0],
) {
  const { code, out, err } = await run(words, { env })
  assert.ok(codes.includes(code), `${words[0]} ended with ${code}: ${out}${err}`)
}

interface Bundle {
  dsseEnvelope: { payload: string }
}

const changed = (bundle: Bundle, change: (statement: string) => string): Bundle => {
  const payload = Buffer.from(change(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString()))
  return { ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, payload: payload.toString('base64') } }
}

try {
  const sign = ['--sign-key', `file:${at('key.pem')}`]
  await done(['keygen', '--out', at('key.pem')], {})
  await withTenant(({ url, keys, agents }) => {
    writeVersionTarget(at('target.yaml'))
    const env = { URL: url, KEY: keys.main, AGENT: agents.plain }
    return done(['check', at('target.yaml'), '--profile', 'smoke', ...sign, '--out', at('report')], env, [3])
  })
  process.env['SIGSTORE_ID_TOKEN'] = token
  const verifying = ['--key', at('key.pub.pem')]
  const address = ['--sigstore', '--fulcio', services.fulcio, '--rekor', services.rekor]
  const certify = [
    'certify',
    at('report'),
    ...verifying,
    '--out',
    at('statement'),
    '--allow-partial',
    '--no-pdf',
  ]
  await done([...certify, ...sign, ...address], {})
  await done(['verify', at('statement'), ...verifying], {})

  const bundle = JSON.parse(
    readFileSync(join(at('statement'), 'test-result.sigstore.json'), 'utf8'),
  ) as Bundle
  const verify = await verifierFor(tools, services)
  verify(bundle, identity)
  const statement = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString()) as {
    subject: { name: string; digest: { sha256: string } }[]
  }
  const page = createHash('sha256').update(readFileSync(join(at('statement'), 'statement.html')))
  assert.equal(
    statement.subject.find(({ name }) => name === 'statement.html')?.digest.sha256,
    page.digest('hex'),
  )
  console.log(`signed by ${identity}: verified, about the page beside it`)

  const refused: readonly (readonly [string, Bundle, string])[] = [
    ['another result', changed(bundle, (words) => words.replace('WARNED', 'PASSED')), identity],
    ['another version', changed(bundle, (words) => words.replaceAll('4.2.1', '4.2.2')), identity],
    ['another identity', bundle, 'https://ci.example.com/other'],
  ]
  for (const [name, one, expected] of refused) {
    assert.throws(() => verify(one, expected))
    console.log(`${name}: refused`)
  }
} finally {
  services.close()
  rmSync(root, { recursive: true })
}
