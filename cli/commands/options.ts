/** The options of each command, and their types. */
import { InvalidArgumentError } from 'commander'
import { flags, type OptionsOf } from '../command.ts'
import { answerList } from '../listen/answers.ts'
import { flag, controlFlags, runFlags, targetFlags, tenantFlags, vendorFlags } from '../options.ts'
import { collect, collectWhole, listenPort, single, wholeNumber } from '../values.ts'

export const checkFlags = flags([
  ...targetFlags,
  [
    '--retries <n>',
    'run a failing scenario up to this many times more, alone (0 to 2)',
    { as: wholeNumber(0, 2), default: 1 },
  ],
  ['--fail-fast', 'end at the first failure that is not flaky'],
  flag.trace,
  flag.outFolder,
  flag.clauseSet,
  flag.since,
  flag.signKey,
  flag.origin,
  [
    '--disclose-webhook-secrets',
    'do not redact secrets of webhooks that the run creates and deletes, so that others can verify signatures',
  ],
  flag.quiet,
  flag.json,
  flag.observations,
])
export type CheckOptions = OptionsOf<typeof checkFlags>

export const receiverFlags = flags([
  ['--secret <ref>', 'sign with this webhook secret, as env:NAME or file:PATH (required)'],
  ['--events <names>', 'send these events, separated by commas (default: leads.submit)', collect],
  ['--agent <id>', 'send deliveries of this agent'],
  ['--effects <url>', 'read the number of times that delivery {id} was processed with a GET of this URL'],
  flag.observations,
  ['--requests-per-minute <n>', 'stay below the rate limit of the receiver', wholeNumber(1)],
  ['--header <name=ref>', 'add a header, with the value as env:NAME or file:PATH (repeatable)', collectWhole],
  flag.trace,
  ...runFlags,
])
export type ReceiverOptions = OptionsOf<typeof receiverFlags>

export const judgeFlags = flags([
  [
    '--base-url <url>',
    'judge what was sent below this address (repeatable: of one deployment)',
    collectWhole,
  ],
  ['--target <file>', 'use the policy, pointers and vendor of this target file (YAML)'],
  [
    '--secret <ref>',
    'verify deliveries with this webhook secret, as env:NAME or file:PATH (repeatable)',
    collectWhole,
  ],
  ['--policy <file>', 'use this policy of known failures'],
  [
    '--only <pattern>',
    'judge only these clauses, scenarios or checks; * matches anything (repeatable)',
    collect,
  ],
  ['--out <folder>', flag.outFolder[1], { default: 'touchstone-traffic' }],
  flag.since,
  flag.signKey,
  flag.origin,
  flag.quiet,
  flag.json,
  flag.observations,
  ...vendorFlags,
])
export type JudgeOptions = OptionsOf<typeof judgeFlags>

export const proxyFlags = flags([
  ['--to <url>', 'forward to this service, or to this webhook receiver', { required: true }],
  ['--listen <address>', 'listen on this HOST:PORT', { default: '127.0.0.1:4040' }],
  [
    '--record <folder>',
    'write the recording and the reports to this folder',
    { default: 'touchstone-traffic' },
  ],
  flag.trace,
  ...judgeFlags.filter(([name]) => !/^--(?:base-url|out) /.test(name)),
])
export type ProxyOptions = JudgeOptions & { to: string; listen: string; record: string; trace: boolean }

export const clientFlags = flags([
  [
    '--as <kind>',
    'check the clauses for this kind of client',
    { as: ['client', 'library', 'command-line'], default: 'client' },
  ],
  ['--can <actions>', 'test only these actions, separated by commas (default: all)', collect],
  [
    '--verb <name=words>',
    'set the arguments for `chat`, `execute`, `login` or `whoami` of a command line (repeatable)',
    collectWhole,
  ],
  ['--driver', 'start the client once, and send it a JSON line for each step'],
  ['--interactive', 'print each step for a person to perform, instead of running a command'],
  ['--name <text>', 'set the name in reports (default: the command, without secrets)'],
  ['--parallel <n>', 'run this many steps at once', { as: wholeNumber(1, 64), default: 4 }],
  ['--verbose', 'print the stderr of the client'],
  ...runFlags,
])
export type ClientOptions = OptionsOf<typeof clientFlags>

export const cleanupFlags = flags([
  ['--target <file>', 'use the target file of that run', { required: true }],
  flag.allowExec,
])
export type CleanupOptions = OptionsOf<typeof cleanupFlags>

export const initFlags = flags([
  ['--name <name>', 'set the name of the target in reports'],
  ['--kind <kind>', 'set the kind of the target', ['staging', 'production']],
  ['--base-url <url>', 'set the base URL'],
  ['--api-key <ref>', 'set an API key, as env:NAME or file:PATH'],
  ['--agent <id>', 'set an agent that replies to any message'],
  ['--second-agent <id>', 'set another agent of the same account'],
  ['--paused-agent <id>', 'set an agent whose AI replies are paused'],
  ['--session <ref>', 'set the Cookie of a signed-in user, as env:NAME or file:PATH'],
  ['--receiver <where>', 'set where the target can deliver to: loopback, or an https URL'],
  ['--operation <id>', 'set an operation that only reads and accepts {} as its input'],
  ['--vendor <word>', 'set the word in X-WORD-Idempotent-Replay'],
  ['--force', 'overwrite an existing file'],
])
export type InitOptions = OptionsOf<typeof initFlags>

export const doctorFlags = flags([
  ['--base-url <url>', 'use this base URL instead of a target file'],
  flag.apiKey,
  flag.agent,
  flag.trace,
  flag.json,
  ['--verbose', 'list everything that is not configured'],
  ...vendorFlags,
])
export type DoctorOptions = OptionsOf<typeof doctorFlags>

export const planFlags = flags([
  ...targetFlags,
  flag.json,
  ['--verbose', 'list each scenario with its checks and states'],
])
export type PlanOptions = OptionsOf<typeof planFlags>

export const specFlags = flags([
  ['--out <folder>', 'write the files to this folder', { default: 'touchstone-spec' }],
  ['--force', 'replace files that this command did not write, too'],
  ...vendorFlags,
])
export type SpecOptions = OptionsOf<typeof specFlags>

export const mergeFlags = flags([
  flag.outFolder,
  ['--allow-missing', 'report the checks of missing shards as not tested'],
  flag.since,
  flag.signKey,
  flag.json,
  flag.observations,
])
export type MergeOptions = OptionsOf<typeof mergeFlags>

export const showFlags = flags([
  [
    '--port <port>',
    'listen on this port of 127.0.0.1; 0 for any free port',
    { as: wholeNumber(0, 65_535), default: 0 },
  ],
  ['--open', 'open the page in a browser (default: at a terminal)'],
  ['--no-open', 'do not open a browser'],
  ['--json', 'print one line of JSON when it listens'],
])
/** With both forms of an option, it may be left open. */
export type ShowOptions = Omit<OptionsOf<typeof showFlags>, 'open'> & { open?: boolean }

export const reportFlags = flags([
  ['--format <name>', 'use this format, or the one in this file (repeatable; default: the summary)', collect],
  ['--out <place>', 'write to this file or folder; without --format, write all reports'],
  ['--since <folder>', 'report changes since this earlier run'],
  ['--sign-key <ref>', 'sign the run bundle with the Ed25519 key in env:NAME or file:PATH'],
])
export type ReportOptions = OptionsOf<typeof reportFlags>

export const diffFlags = flags([
  [
    '--format <format>',
    'print in this format',
    { as: ['text', 'markdown', 'html', 'json'], default: 'text' },
  ],
  ['--json', 'print JSON; the same as --format json', { implies: { format: 'json' } }],
  ['--out <file>', 'write to this file, and print only the summary line'],
])
export type DiffOptions = OptionsOf<typeof diffFlags>

export const verifyFlags = flags([
  ['--key <file>', 'verify the signature with this public key (PEM)'],
  ['--rejudge', 'judge the journal again and compare every verdict'],
  [
    '--target <file>',
    'with --rejudge: use policy and dialect of this target file instead of those of the run',
  ],
  ['--clause-set <set>', 'with --rejudge: judge by this clause set, a name or a file', single],
  ['--out <folder>', 'with --rejudge: write all reports, as judged now, to this folder'],
  [
    '--require <requirements>',
    'decide whether a version may be released (repeatable)',
    { as: collectWhole, conflicts: ['key', 'rejudge'] },
  ],
  ['--format <format>', 'print in this format', { as: ['text', 'json'], default: 'text' }],
  ['--json', 'print JSON; the same as --format json', { implies: { format: 'json' } }],
])
export type VerifyOptions = OptionsOf<typeof verifyFlags>

export const certifyFlags = flags([
  ['--key <file>', 'verify the signature with this public key (PEM)', { required: true }],
  ['--out <folder>', 'write to this folder', { default: 'touchstone-statement' }],
  ['--sign-key <ref>', 'write the in-toto test result, signed with the key in env:NAME or file:PATH'],
  ['--allow-partial', 'state a partial run, as PARTIAL'],
  flag.json,
])
export type CertifyOptions = OptionsOf<typeof certifyFlags>

/** As many as an entry may count. */
const mostDays = 180

export const baselineFlags = flags([
  ['--owner <name>', 'set who is responsible for the failures'],
  ['--reason <text>', 'set the reason why they are accepted'],
  [
    '--days <n>',
    `set the days until the entries expire, at most ${mostDays}`,
    { as: wholeNumber(1, mostDays), default: 90 },
  ],
  ['--include-inconclusive', 'accept inconclusive checks until they have a result'],
  ['--out <file>', 'write to this file instead of stdout; comments of existing entries are kept'],
])
export type BaselineOptions = OptionsOf<typeof baselineFlags>

/** Options that a snapshot contains, and those of another start. */
const decidedBySnapshot =
  'store seed situation replies clock legacy vendor identifier fault variant interpret'.split(' ')

export const simulateFlags = flags([
  ...tenantFlags,
  [
    '--port <port>',
    'listen on this port; 0 for any free port',
    { as: wholeNumber(0, 65_535), default: 4010 },
  ],
  ['--host <host>', 'listen on this address', { default: '127.0.0.1' }],
  [
    '--drain <seconds>',
    'wait this long for work in flight before stopping',
    { as: wholeNumber(0, 3_600), default: 10 },
  ],
  ['--store <file:PATH>', 'keep state in a file, for one process at a time (default: memory)'],
  [
    '--snapshot <file>',
    'start from a downloaded snapshot, with its seed, clock and reply rules',
    { conflicts: decidedBySnapshot },
  ],
  ['--open', 'open the console in a browser'],
  ['--no-console', 'do not serve the console under /_sim/'],
  ['--json', 'print one line of JSON when it listens'],
])
export type SimulateOptions = OptionsOf<typeof simulateFlags>

export const execFlags = flags([
  ...tenantFlags,
  [
    '--coverage <file>',
    'write what the requests met to this file as JSON (default: touchstone-coverage.json with --require)',
  ],
  [
    '--require <pattern>',
    "fail with exit code 1 unless these were met, such as 'error.*,stream.cut' (repeatable)",
    collect,
  ],
])
export type ExecOptions = OptionsOf<typeof execFlags>

export const listenFlags = flags([
  ...vendorFlags,
  [
    '--port <port>',
    'listen on this port; 0 for any free port',
    { as: wholeNumber(0, 65_535), default: listenPort },
  ],
  ['--host <host>', 'listen on this address', { default: '127.0.0.1' }],
  ['--secret <ref>', 'verify signatures with this webhook secret, as env:NAME or file:PATH'],
  ['--answer <list>', 'respond with this, such as 500,500,200 or hang (default: 200)', answerList],
  ['--forward <url>', 'forward each delivery to this URL, and return its response'],
  ['--record <file>', 'write requests and responses to this file as NDJSON, replacing it'],
  ['--json', 'print each delivery as a line of JSON'],
])
export type ListenOptions = OptionsOf<typeof listenFlags>

export const tailFlags = flags([
  ['--no-follow', 'print the requests that the journal has, and end'],
  ['--since <number>', 'start after the request with this number', wholeNumber(0)],
  ['--path <path>', 'print only requests with a path that starts like this'],
  ['--status <status>', 'print only responses with this status, such as 409 or 4xx', statusPattern],
  ['--bodies', 'print the bodies of requests and responses, too'],
  ...controlFlags,
])
export type TailOptions = OptionsOf<typeof tailFlags>

function statusPattern(given: string): string {
  if (/^[1-5](?:\d\d|xx)$/.test(given)) return given
  throw new InvalidArgumentError('Give a status such as 409 or 4xx.')
}
