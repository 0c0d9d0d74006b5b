/** What verify says of a bundle after somebody was at it, and whether others than we agree on what was signed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { reportFiles } from '../../reports/index.ts'
import type { Basis } from '../../bundle/record.ts'
import { payloadOf, preAuthEncoding, type SignedEnvelope } from '../../bundle/seal/envelope.ts'
import { alterations, passed } from './alterations.ts'
import { publicHalf, sealedRun, type Copy, type SealedRun } from './sealed-run.ts'

let sealed: SealedRun
beforeAll(async () => {
  sealed = await sealedRun()
})
afterAll(() => sealed.remove())

interface Line {
  about: string
  outcome: 'holds' | 'broken' | 'open' | 'incomplete'
  words: string
  problems: readonly string[]
}

/** `broken`: what is said of each line that does not hold. */
async function verified(path: string, ...more: readonly string[]) {
  const { code, out, err } = await run(['verify', path, '--rejudge', '--format', 'json', ...more])
  expect(err).toBe('')
  const { lines } = JSON.parse(out) as { lines: readonly Line[] }
  const broken = lines.filter(({ outcome }) => outcome === 'broken')
  const said = ({ words, problems }: Line): readonly string[] => (problems.length > 0 ? problems : [words])
  return {
    code,
    outcomes: Object.fromEntries(lines.map(({ about, outcome }) => [about, outcome])),
    words: Object.fromEntries(lines.map(({ about, words }) => [about, words])),
    broken: Object.fromEntries(broken.map((line) => [line.about, said(line)])),
  }
}

const withKey = (): readonly string[] => ['--key', publicHalf(sealed.key)]

test('a bundle as it was written holds in every part, and its signature is not said to without a key', async () => {
  const { code, outcomes } = await verified(sealed.path, ...withKey())
  expect([...new Set(Object.values(outcomes))]).toEqual(['holds'])
  expect(code).toBe(0)

  const without = await verified(sealed.path)
  expect(without.outcomes).toEqual({ ...outcomes, signature: 'open' })
  expect(without.words['signature']).toMatch(/^signed by key id [0-9a-f]{64}, not checked: give --key$/)
  expect(without.code).toBe(0)
})

describe('verify says what does not hold where', () => {
  test.for(Object.entries(alterations))('%s', async ([, [alter, expected]]) => {
    const copy = sealed.copy()
    alter(copy)
    const { code, broken } = await verified(copy.path, ...withKey())

    expect(broken).toEqual(expected)
    expect(code).toBe(1)
  })
})

test('where all is made anew without the key, only the signature and the judges show it', async () => {
  const copy = sealed.copy()
  copy.json('run.json', (record: Parameters<typeof passed>[0]) => {
    const { signing: _, ...rest } = passed(record)
    return rest
  })
  copy.seal()
  const anew = join(sealed.root, 'anew')
  expect(await run(['report', copy.path, '--out', `${anew}/`])).toMatchObject({ code: 0 })
  cpSync(anew, copy.path, { recursive: true })
  copy.seal()

  const { broken, outcomes } = await verified(copy.path, ...withKey())
  expect(Object.keys(broken)).toEqual(['signature', 'verdicts'])
  expect(broken['signature']).toEqual(['unsigned: there is no statement.dsse.json'])
  expect(outcomes).toMatchObject({ manifest: 'holds', answers: 'holds', reports: 'holds' })
  expect(await run(['verify', copy.path])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /\n\nCONSISTENT: unsigned, so anyone could have written it; verdicts not recomputed \(give --rejudge\)\n$/,
    ) as string,
  })
})

describe('a run that was cut off holds as far as it goes, and is not taken for a whole one:', () => {
  const written = ['run.json', ...reportFiles]
  const late = [...written, 'manifest.json', 'statement.dsse.json']
  const cut = (copy: Copy, at: number): void => copy.change('journal.ndjson', (text) => text.slice(0, at))

  const cuts: Readonly<Record<string, [(copy: Copy) => void, RegExp]>> = {
    'before the first line': [
      (copy) => copy.remove(...late, 'journal.ndjson'),
      /^the run was cut off before its first line$/,
    ],
    'within a line': [
      (copy) => {
        copy.remove(...late)
        cut(copy, 20_000)
      },
      /^hash chain intact: \d+ lines, \d+ exchanges; it was cut off there, in line \d+$/,
    ],
    'before its record': [(copy) => copy.remove(...late), /^hash chain intact: \d+ lines/],
    'before it was sealed': [
      (copy) => copy.remove('manifest.json', 'statement.dsse.json'),
      /^hash chain intact: \d+ lines/,
    ],
    'before its manifest': [(copy) => copy.remove('manifest.json'), /^hash chain intact: \d+ lines/],
  }

  test.for(Object.entries(cuts))('%s', async ([, [alter, words]]) => {
    const copy = sealed.copy()
    alter(copy)
    const { code, broken, words: said, outcomes } = await verified(copy.path)

    expect(broken).toEqual({})
    expect(said['journal']).toMatch(words)
    expect(outcomes['manifest']).toBe('incomplete')
    expect(code).toBe(3)
  })
})

test('and neither is what is judged again of it', async () => {
  const copy = sealed.copy()
  copy.remove('run.json', 'manifest.json')
  copy.change('journal.ndjson', (text) => text.slice(0, 20_000))
  const again = join(sealed.root, 'again')
  await run(['verify', '--rejudge', copy.path, '--out', again])
  const { code, broken, words } = await verified(again)

  expect(broken).toEqual({})
  expect(words['journal']).toMatch(/; the run was cut off there$/)
  expect(words['run']).toMatch(/^run interrupted, \d+ checks not run$/)
  expect(words['verdicts']).toMatch(/: same; .*\d+ of scenarios that were not run$/)
  expect(code).toBe(3)
})

test('a run whose policy was changed after it had ended is said to be judged again', async () => {
  const copy = sealed.copy()
  copy.json('judging.json', (basis: Basis) => ({ ...basis, dialect: { rateHeaders: ['x-left'] } }))
  const { words } = await verified(copy.path)

  expect((await verified(sealed.path)).words['plan']).not.toContain('judged again')
  expect(words['plan']).toMatch(/; judged again with another policy or dialect$/)
})

test('a run that is there already can be signed, where it holds', async () => {
  const copy = sealed.copy()
  const again = join(sealed.root, 'to-sign')
  const sign = ['report', copy.path, '--sign-key', `file:${copy.keys.other}`]
  const key = ['--key', publicHalf(copy.keys.other)]
  const ofOther = { code: 2, err: expect.stringContaining('is signed by key id') as string }
  expect(await run(sign)).toMatchObject(ofOther)
  await run(['verify', '--rejudge', copy.path, '--out', again])
  expect(await run(['report', again, ...sign.slice(2)])).toMatchObject({ code: 0, out: '' })
  expect(await verified(again, ...key)).toMatchObject({ code: 0, broken: {} })

  copy.change('junit.xml', (text) => `${text} `)
  const files = copy.files().map((file) => copy.read(file))
  const refused = {
    code: 2,
    err: expect.stringContaining('does not hold in its manifest, so it was not signed') as string,
  }
  expect(await run(sign)).toMatchObject(refused)
  expect(copy.files().map((file) => copy.read(file))).toEqual(files)
})

test('what cleanup adds to the ledger is known, and nothing else may be added', async () => {
  const copy = sealed.copy()
  const ledger = join(copy.path, 'created.ndjson')
  writeFileSync(ledger, '{"created":{"id":"1","what":"webhook","agent":"a","webhook":"w"}}\n')
  copy.seal(copy.keys.own)
  appendFileSync(ledger, '{"gone":"1"}\n')
  expect(await verified(copy.path, ...withKey())).toMatchObject({ code: 0, broken: {} })

  appendFileSync(ledger, '{"created":{"id":"2"}}\n')
  expect(await verified(copy.path)).toMatchObject({
    code: 1,
    broken: { manifest: ['created.ndjson: changed after the run'] },
  })
})

describe('openssl agrees:', () => {
  const openssl = (...argv: readonly string[]): string =>
    execFileSync('openssl', argv, { encoding: 'utf8', stdio: 'pipe' })
  const missing = ((): string | false => {
    try {
      openssl('version')
      return false
    } catch {
      return 'there is no openssl on this machine'
    }
  })()
  const envelopeIn = (copy: Copy): SignedEnvelope =>
    JSON.parse(copy.read('statement.dsse.json')) as SignedEnvelope
  const toSign = (envelope: SignedEnvelope): Uint8Array =>
    preAuthEncoding(envelope.payloadType, payloadOf(envelope))

  test('it takes our signature, and not one over something else', ({ skip }) => {
    if (missing) skip(missing)
    const copy = sealed.copy()
    const envelope = envelopeIn(copy)
    copy.write('sig', Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'))
    const verify = (bytes: Uint8Array): string => {
      copy.write('pae', bytes)
      const files = ['-in', join(copy.path, 'pae'), '-sigfile', join(copy.path, 'sig')]
      return openssl('pkeyutl', '-verify', '-pubin', '-inkey', publicHalf(sealed.key), '-rawin', ...files)
    }
    expect(verify(toSign(envelope))).toBe('Signature Verified Successfully\n')
    expect(() => verify(payloadOf(envelope))).toThrow('Command failed: openssl pkeyutl -verify')
  })

  test('its keys and its signatures are taken by us', async ({ skip }) => {
    if (missing) skip(missing)
    const copy = sealed.copy()
    const at = (name: string): string => join(sealed.root, name)
    const [key, pae, sig, der] = [at('openssl.pem'), at('pae'), at('sig'), at('key.der')]
    openssl('genpkey', '-algorithm', 'ed25519', '-out', key)
    openssl('pkey', '-in', key, '-pubout', '-out', publicHalf(key))
    openssl('pkey', '-in', key, '-pubout', '-outform', 'DER', '-out', der)
    copy.sealAs(key)
    const envelope = envelopeIn(copy)
    writeFileSync(pae, toSign(envelope))
    openssl('pkeyutl', '-sign', '-inkey', key, '-rawin', '-in', pae, '-out', sig)
    const signature = { sig: readFileSync(sig).toString('base64') }
    copy.write('statement.dsse.json', JSON.stringify({ ...envelope, signatures: [signature] }))

    const { outcomes, words } = await verified(copy.path, '--key', publicHalf(key))
    const keyid = createHash('sha256').update(readFileSync(der)).digest('hex')
    expect(outcomes['signature']).toBe('holds')
    expect(words['signature']).toContain(keyid)
  })
})

test('the private key is in nothing that was printed or written', () => {
  const [, secret = ''] = readFileSync(sealed.key, 'utf8').split('\n')
  expect(secret.length).toBeGreaterThan(60)
  const copy = sealed.copy()
  const all = [sealed.printed, ...copy.files().map((file) => copy.read(file))]
  expect(all.filter((text) => text.includes(secret) || text.includes('PRIVATE KEY'))).toEqual([])
})
