import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, problemsOf, wholeFile } from '../file/file.testkit.ts'
import { parseTarget } from '../file/file.ts'
import { temporaryFolder } from '../../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

const pathOf = (name: string): string => join(folder, name)
function certificate(name: string): void {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', pathOf(`${name}.key`), '-out', pathOf(`${name}.pem`)]
  execFileSync('openssl', [...request, '-passout', 'pass:open', '-subj', `/CN=${name}`, ...files], {
    stdio: 'ignore',
  })
}
certificate('ours')
certificate('theirs')

const withTls = (written: string): string =>
  wholeFile.replace('baseUrl: "https://chat.example.test"', `$&, ${written}`)
const env = { ...environment, PASS: 'open', PROXY: 'http://ann:secret@proxy.example:3128' }
const ours = `certFile: ${pathOf('ours.pem')}`

test('a client certificate is read with its key, and a proxy with its password', () => {
  const text = withTls(
    `tls: { ${ours}, keyFile: ${pathOf('ours.key')}, passphrase: "env:PASS" }, proxy: "env:PROXY"`,
  )
  expect(parseTarget(text, 'target.yaml', env)).toMatchObject({
    tls: {
      ca: null,
      client: {
        cert: readFileSync(pathOf('ours.pem'), 'utf8'),
        key: readFileSync(pathOf('ours.key'), 'utf8'),
        passphrase: 'open',
      },
    },
    proxy: env.PROXY,
  })
})

test.for<[written: string, problem: string]>([
  [`tls: { ${ours} }`, 'target.tls.certFile needs target.tls.keyFile beside it; add it'],
  [
    `tls: { ${ours}, keyFile: ${pathOf('ours.key')} }`,
    `target.tls.keyFile is ${pathOf('ours.key')}, which holds no private key that can be read; give the path of a PEM file, and target.tls.passphrase where it is encrypted`,
  ],
  [
    `tls: { ${ours}, keyFile: ${pathOf('theirs.key')}, passphrase: "env:PASS" }`,
    'target.tls.keyFile is not the private key of target.tls.certFile; give the one it was made with',
  ],
])('%s is refused', ([written, problem]) => {
  expect(problemsOf(withTls(written), env)).toEqual([`target.yaml:2: ${problem}`])
})
