/** What the command line says to mistakes: one line with the value and what to do, exit code 2, and nothing written. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run } from './process.testkit.ts'
import { temporaryFolder } from '../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
beforeAll(() => {
  mkdirSync(join(folder, 'folder'))
  writeFileSync(join(folder, 'staging.yaml'), 'apiVersion: touchstone/v1\n')
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'broken.json'), '{')
  spawnSync('mkfifo', [join(folder, 'pipe')])
  writeFileSync(join(folder, 'aliases.yaml'), `a: &a 1\nb: [${'*a, '.repeat(2_000)}]\n`)
})

const env = { KEY: 'sk-1', WEBHOOK_SECRET: 'whsec_test', EMPTY: '', TWO_LINES: 'sk-live-secret\nb' }
const bare = 'check --base-url https://a.example --agent a --api-key'
const receiver = 'receiver http://localhost:1/ --secret env:WEBHOOK_SECRET'

/** DIR stands for a folder with `staging.yaml`, `empty`, `broken.json` and `folder`. */
const mistakes: readonly (readonly [line: string, message: RegExp | string])[] = [
  ['chek', /'chek'.*Did you mean check/],
  ['zzz', /'zzz'; see `touchstone --help`/],
  ...Object.entries({
    clock: 'sim clock',
    approve: 'sim approve',
    fault: 'sim fault',
    faults: 'list faults',
    situations: 'list situations',
    rejudge: 'verify --rejudge --out',
    gate: 'verify --require',
    site: 'report --format history',
  }).flatMap(([went, now]): typeof mistakes => [
    [went, `error: unknown command '${went}'; use \`touchstone ${now}\`\n`],
    [`help ${went}`, `error: help ${went}: unknown command; use \`touchstone ${now}\`\n`],
  ]),
  ['list clauses --jsn', /'--jsn'.*Did you mean --json/],
  ['list', /'what'; usage: touchstone list/],
  ['list fault', /list fault: did you mean faults\?/],
  ['list gaps x y', /Expected 2 arguments but got 3: gaps, x, y; see `touchstone list --help`/],
  ['help clok', /help clok: unknown command; /],
  ['help sim clok', /did you mean clock\?/],
  ['replies chek DIR/empty', /'chek'.*Did you mean check/],
  ['diff DIR', /'later'; usage: touchstone diff \[options\] <earlier> <later>/],
  ['exec', /'command'; usage: touchstone exec/],
  ['report --format', /'--format <name>' argument missing; see `touchstone report --help`/],
  ['cleanup', /'--target <file>' not specified; see `touchstone cleanup --help`/],

  ['check', /no target: give `simulator`, .*; try: npx touchstone check simulator/],
  ['doctor', /no target/],
  ['plan', /no target/],
  ['check DIR/staging.yml', /target file \S+staging\.yml: not found; did you mean \S+staging\.yaml\?/],
  ['check DIR/other.json', /target file \S+other\.json: not found; check the path/],
  ['check DIR/folder', /target file \S+folder: is a folder; give a file/],
  ['check https://a.example', /https:\/\/a\.example is a URL: give it as --base-url/],
  ['check DIR/staging.yaml --base-url https://a.example', /cannot be combined; leave one out/],
  ['check simulator --base-url https://a.example', /cannot be combined with `simulator`; leave them out/],
  ['check DIR/staging.yaml --fault x', /--fault requires `simulator`/],
  ['check --base-url a.example', /--base-url is "a\.example"; give an address such as/],
  ['check --base-url u:sk-live-secret@a.example', /--base-url is no URL; give an address such as/],
  ...['check', 'doctor', 'plan', 'init DIR/new.yaml'].flatMap((command): typeof mistakes => [
    [
      `${command} --base-url http://u:sk-live-secret@a.example`,
      /--base-url.* names a user; leave user and password out/,
    ],
    [`${command} --base-url http://a.example?x=1`, /--base-url.* has a query or a fragment; give/],
    [`${command} --base-url http://a.example/#`, /--base-url.* has a query or a fragment; give/],
  ]),
  ['check --base-url https://a.example', /needs an API key: give --api-key/],
  ['check --base-url https://a.example --api-key env:KEY', /needs an agent .*give --agent/],

  ...['env:__proto__', 'env:constructor'].map((name): (typeof mistakes)[number] => [
    `${bare} ${name}`,
    /environment variable \w+ is not set; export it/,
  ]),
  // Neither is read to its end.
  ...['/dev/zero', 'DIR/pipe'].flatMap((file): typeof mistakes =>
    [
      `check ${file}`,
      `check simulator --policy ${file}`,
      `${bare} file:${file}`,
      `simulate --replies ${file}`,
      `judge ${file}`,
    ].map((line) => [line, /no plain file/]),
  ),
  ['check DIR/aliases.yaml', /aliases\.yaml: its aliases \(\*name\) are too many, /],
  ['simulate --replies DIR/aliases.yaml', /aliases\.yaml: its aliases \(\*name\) are too many, /],
  [`${bare} env:NOPE`, /environment variable NOPE is not set; export it/],
  [`${bare} env:EMPTY`, /environment variable EMPTY is empty; export it/],
  [`${bare} file:DIR/none`, /file:\S+none: not found; check the path/],
  [`${bare} file:DIR/empty`, /file \S+empty is empty/],
  [
    `${bare} env:TWO_LINES`,
    /--api-key env:TWO_LINES: has a line break or another character that no header may/,
  ],
  ['check --agent= --base-url https://a.example', /'--agent <id>'.* Give a value, or leave the option out/],
  ['check simulator --only= --out DIR/new', /'--only <pattern>'.* Give a value, or leave the option out/],
  ['check simulator --out --quiet', /'--out <folder>' argument '--quiet' is invalid\. Give a value, or/],
  ['client --can --driver -- true', /'--can <actions>' argument '--driver' is invalid/],
  [`${bare} STAGING_KEY`, /STAGING_KEY: did you mean env:STAGING_KEY\?/],
  [`${bare} KEY`, /KEY: did you mean env:KEY\?/],
  [`${bare} sk-live-secret`, /does not accept a secret itself.*give env:NAME or file:PATH/],

  ['check simulator --only idempotncy*', /idempotncy\*; did you mean idempotency\*\?/],
  ['check simulator --only idem-replay-heder', /did you mean IDEM-REPLAY-HEADER\?/],
  ['check simulator --only zzz', /no check matches zzz; give a scenario/],
  [
    'check simulator --opt-in slw',
    /--opt-in slw: did you mean slow\? Choices: slow, costly, destructive, writes/,
  ],
  ['check simulator --opt-in cheap', /--opt-in cheap: choose from slow, costly/],
  ['check simulator --profile smok', /'smok' is invalid\. Did you mean smoke\? Choices: smoke, standard/],
  ['check simulator --seed abc', /'abc' is invalid\. Give a whole number/],
  ['check simulator --max-requests 0', /'0' is invalid\. Give a whole number of at least 1/],
  ['check simulator --max-minutes soon', /'soon' is invalid\. Give a number above 0/],
  ['check simulator --policy DIR/stagin.yaml', /stagin\.yaml: not found; did you mean \S+staging\.yaml\?/],
  ['check simulator --since DIR/none', /--since \S+none.*name the folder/],
  ['check simulator --sign-key file:DIR/staging.yaml', /is no key in PEM: make a pair of keys/],
  [
    'check simulator --fault replay-unmarkd',
    /replay-unmarkd: unknown name \(did you mean replay-unmarked\?\)/,
  ],
  ['check simulator --fault zzzz', /zzzz: unknown name; `touchstone list faults` lists all/],
  ['check simulator --variant asci-json', /did you mean ascii-json\?/],
  ['check simulator --interpret GAP-IDENTICL=replay', /did you mean GAP-IDENTICAL\?/],
  ['check simulator --interpret GAP-IDENTICAL=replai', /did you mean replay\? Choices: replay, conflict/],
  ['check simulator --vendor a_b', /vendor is "a_b": write one word/],
  ['check simulator --identifier x', /"x" is not NAME=VALUE; write it as/],
  ['check simulator --identifier replyHeader=X', /replyHeader: unknown name; did you mean replayHeader\?/],
  ['check simulator --out DIR/empty --only auth/schemes', /empty is a file; name a folder/],

  [
    'receiver http://localhost:1/',
    /--secret is missing: .*`export WEBHOOK_SECRET=whsec_…`, and give --secret env:/,
  ],
  [
    'receiver localhost:3000 --secret env:WEBHOOK_SECRET',
    /localhost:3000: give the address of the receiver such as/,
  ],
  [`${receiver} --events leads.submt`, /--events leads\.submt: unknown event; did you mean leads\.submit\?/],
  [`${receiver} --header foo`, /--header: give NAME=env:NAME/],
  [`${receiver} --header X-Gate=env:TWO_LINES`, /--header X-Gate env:TWO_LINES: has a line break/],
  [`${receiver} --effects http://x/`, /--effects http:\/\/x\/: write \{id\}/],
  [`${receiver} --only signatur*`, /no check matches signatur\*/],
  ['client', /Name the command of the client after --/],
  ['client --can chatt -- true', /--can chatt: unknown action; did you mean chat\? Choices: chat, stream/],
  ['client --as libary -- true', /'libary' is invalid\. Did you mean library\?/],
  ['client --as command-line --verb lgin=x -- true', /--verb lgin=x: .*did you mean login\?/],
  ['client --parallel 0 -- true', /'0' is invalid\. Give a whole number from 1/],
  ['list clauses --area idempotncy', /'idempotncy' is invalid\. Did you mean idempotency\?/],

  ['simulate --port 70000', /'70000' is invalid\. Give a whole number from 0 to 65535/],
  ['simulate --clock slow', /'slow' is invalid\. Give real, frozen/],
  [
    'simulate --situation expird-button',
    /expird-button: unknown situation \(did you mean expired-button\?\)/,
  ],
  ['simulate --replies DIR/stagin.yaml', /stagin\.yaml: not found; did you mean/],
  ['simulate --limit tenant=5', /tenant=5: unknown limit; did you mean tenants\?/],
  ['simulate --limit tenants=many', /give it as NAME=NUMBER/],
  ['simulate --store redis:x', /"redis:x" is none: give file:PATH/],
  ['simulate --name-server x', /--name-server x: give a zone and an address/],
  [
    'simulate --name-server a.example=ns.example:53',
    /"ns\.example:53" cannot be asked for names; give an IP/,
  ],
  ['simulate --situation slow-turn --no-control', /slow-turn: a step needs the control plane; leave out/],
  ['simulate --situation approval --replies x.yaml', /--situation and --replies cannot be combined/],
  ['diff DIR --format pdf DIR', /Choose from text, markdown/],
  ['simulate --allow-target 10.1.0.0/99', /cannot be let through; give an address/],
  ['simulate --no-control --control-token env:KEY', /cannot be combined; leave one out/],
  ['listen --forward abc', /abc: give the address of --forward such as/],
  ['listen --forward http://localhost:4020/x', /4020\/x: this command listens there itself/],
  ['proxy --to http://127.0.0.1:4040', /4040: this command listens there itself; give another/],
  ['exec -- no-such-command', /no-such-command: there is no such executable/],

  ['sim trigger', /no event; name one such as leads\.submit, `touchstone sim trigger --list`/],
  ['sim trigger leads.submi', /leads\.submi: unknown event; did you mean leads\.submit\?/],
  ['sim trigger leads.submit --data [1]', /--data \[1\]: that is no JSON object; give one such as/],
  ['sim trigger leads.submit --data @DIR/none', /--data @\S+none: not found; check the path/],
  ['sim tail --status 6xx', /'6xx' is invalid\. Give a status such as 409 or 4xx/],
  ['sim clock soon', /clock soon: give \+90s, next, freeze, set TIME, scale FACTOR or real/],
  ['sim clock set soon', /clock set soon: that is no time; give one such as 2030-01-01T00:00:00Z/],
  [
    'sim clock --control localhost',
    /--control is "localhost"; give an address such as http:\/\/127\.0\.0\.1:4010/,
  ],
  [
    'sim clock --control http://me:secret@127.0.0.1:9',
    /error: --control names a user; leave user and password out\.\n$/,
  ],
  [
    'sim clock --control http://127.0.0.1:9',
    /no simulator at http:\/\/127\.0\.0\.1:9 \(\w.*\): start one with/,
  ],
  ['sim clock --control-token env:NOPE', /environment variable NOPE is not set; export it/],
  ['sim interpret GAP-IDENTICAL', /GAP-IDENTICAL: give GAP=INTERPRETATION, such as/],
  ['sim fault on', /'names'; usage: touchstone sim fault on/],
  ['sim fault an', /'an'.*Did you mean on/],
  ['sim pause', /'agent'; usage: touchstone sim pause/],

  ['report DIR --format htm', /--format htm: unknown format; did you mean html\?/],
  ['report DIR/folder', /plan\.json cannot be read .*name the folder/],
  ['verify DIR/none', /none cannot be read .*name the run folder/],
  ['merge DIR/broken.json --out DIR/new', /broken\.json is a file: name the run folder/],
  ['verify DIR/none --rejudge --out DIR/new', /none\/plan\.json cannot be read .*name the folder/],
  ['verify DIR/none --out DIR/new', /--out, --target and --clause-set need --rejudge/],
  ['baseline DIR/none', /none\/run\.json cannot be read .*name the folder/],
  ['baseline --days 181', /'181' is invalid\. Give a whole number from 1 to 180/],
  ['keygen --out DIR/folder', /folder exists; give another path/],
  ['init DIR/staging.yaml', /staging\.yaml exists: give another file, or overwrite it with --force/],
  ['init DIR/new.yaml --kind stag', /'stag' is invalid\. Did you mean staging\?/],
  ['init DIR/new.yaml --api-key STAGING_KEY', /did you mean env:STAGING_KEY\?/],
  ['init DIR/new.yaml --api-key sk-live-secret', /must not contain a key: give env:NAME/],
  [
    'init DIR/new.yaml --receiver ftp://x',
    /is "ftp:\/\/x"; give an address such as .*, or env:NAME, or loopback/,
  ],
  ['init DIR/new.yaml --vendor a_b', /vendor is "a_b": write one word/],
]

test.for(mistakes)('%s', async ([line, message]) => {
  const before = [readdirSync(folder), readdirSync('.')]
  const { code, out, err } = await run(line.replaceAll('DIR', folder).split(' '), { env })

  expect(err).toMatch(message)
  expect(err).toMatch(/^error: \S.*\n$/)
  expect(err).not.toContain('sk-live-secret')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect([readdirSync(folder), readdirSync('.')]).toEqual(before)
})
