/** The commands on what runs left. */
import { row } from '../command.ts'
import { exitCodeHelp, exitCodes } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'
import {
  baselineFlags,
  certifyFlags,
  diffFlags,
  mergeFlags,
  reportFlags,
  showFlags,
  verifyFlags,
} from './options.ts'

export const showRow = row({
  name: 'show',
  description: 'browse a recorded run in a page of this machine',
  argument: ['[folder]', 'the run bundle', 'touchstone-report'],
  options: showFlags,
  help: `
Examples:
  touchstone show
  touchstone show runs/2026-11-27 --no-open

Only this folder is read, and nothing is written. The address has a token: without it no other program
and no other page can read the run. Ctrl-C stops the server.

Exit codes:
  0  stopped
  2  wrong usage, or no run in the folder
  70 error of Touchstone`,
  run: async ([folder = ''], given, io) => (await import('../show/show.ts')).show(folder, given, io),
})

export const reportRows = [
  row({
    name: 'report',
    description: 'write reports of a recorded run, in any format',
    argument: ['[folders...]', 'run bundle; with --format history, several', ['touchstone-report']],
    options: reportFlags,
    help: `
Examples:
  touchstone report
  touchstone report touchstone-report --format markdown
  touchstone report touchstone-report --format junit,ctrf --out reports/
  touchstone report touchstone-report --format ./slack.mjs
  touchstone report touchstone-report --sign-key file:release.pem
  touchstone report runs/* --format history --out history.html

Formats: json, junit, ctrf, har, markdown, html, text, annotations, history (a page over several runs), or a file of your own (.mjs, .js or .ts)
whose default export is an Exporter, as \`@touchstone-suite/touchstone/reports\` has the type.

Exit codes:
  0  the reports are written, whatever the result of the run
  2  wrong usage, or there is no run to report
  70 error of Touchstone`,
    run: async (folders, given, io) => (await import('../report/report.ts')).report(folders, given, io),
  }),
  row({
    name: 'merge',
    description: 'merge the shards of a run into one report with one verdict',
    argument: ['<folders...>', 'run bundles that `touchstone check --shard` wrote, one for each shard'],
    options: mergeFlags,
    help: exitCodeHelp,
    run: async (folders, given, io) => (await import('../merge/merge.ts')).merge(folders, given, io),
  }),
  row({
    name: 'diff',
    description: 'compare two runs',
    argument: ['<earlier>', 'folder of the earlier run'],
    other: ['<later>', 'folder of the later run'],
    options: diffFlags,
    help: `
Examples:
  touchstone diff last-release touchstone-report
  touchstone diff last-release touchstone-report --format markdown --out changes.md

Exit codes:
  0  nothing got worse
  1  a check regressed, fails in another way, or is new and fails;
     a warning counts as a failure
  2  wrong usage, or the runs are not comparable
  3  none of these, but a check has no result any more
  70 error of Touchstone`,
    run: async (folders, given, io) => (await import('../diff/diff.ts')).diff(folders, given, io),
  }),
  row({
    name: 'verify',
    description: 'verify that a run bundle is unaltered, or that signed runs allow a release',
    argument: [
      '[folders...]',
      'run bundle, or what `certify` wrote; with --require: folders of them',
      ['touchstone-report'],
    ],
    options: verifyFlags,
    more: `
With --require, the newest run below the folders that fits and that a given key signed decides. Requirements:
  target=NAME, version=VERSION  as in the target file
  signer=FILE         public key (PEM) of an allowed signer (repeatable)
  max-age=TIME        greatest age of the run, such as 36h (default: 14d)
  kind=KIND           staging or production (default: the newest run of either decides)
  clause-set=SET      least clause set: a name, or the file of one that is not published
  accept=ANSWER       conformant (default), or gate: the gate of the run passed
  partial=yes         accept a partial run, such as one of the smoke profile`,
    help: `
Examples:
  touchstone verify touchstone-report
  touchstone verify touchstone-report --key touchstone-key.pub.pem --rejudge
  touchstone verify touchstone-report --rejudge --clause-set next.yaml --out next-report
  touchstone verify runs --require target=acme,version=4.2.1,signer=release.pub.pem,max-age=2d

Exit codes:
  0  verified; with --require: the version may be released
  1  not verified: the bundle was altered; with --require: a MUST clause failed
     (with accept=gate: the gate of the run failed)
  2  wrong usage, or no run bundle
  3  verified in part: the run was interrupted, or another version judged it; with --require:
     no run that counts, or one that is partial, too old or dated in the future
  5  with accept=gate: stale or expired policy entry
  70 error of Touchstone`,
    async run(folders, given, io) {
      if (given.require)
        return (await import('../verify/require.ts')).verifyRelease(folders, given.require, given.format)
      const [folder = '', ...more] = folders
      if (more.length > 0) throw new UsageError('several folders are verified with --require; name one.')
      const { rejudge, out, target, clauseSet } = given
      const isJudgedAnew = out !== undefined || target !== undefined || clauseSet !== undefined
      if (!isJudgedAnew) return (await import('../verify/verify.ts')).verify(folder, given)
      if (!rejudge) throw new UsageError('--out, --target and --clause-set need --rejudge.')
      if (given.key !== undefined) {
        const asItIs = (await import('../verify/verify.ts')).verify(folder, { ...given, rejudge: false })
        if (asItIs.exitCode === exitCodes.nonconformant) return asItIs
      }
      return (await import('../rejudge/rejudge.ts')).rejudgeFolder(folder, given, io)
    },
  }),
  row({
    name: 'certify',
    description: 'write a statement of one page about a verified run, to hand over',
    argument: ['[folder]', 'run bundle, signed', 'touchstone-report'],
    options: certifyFlags,
    help: `
Examples:
  touchstone certify touchstone-report --key release.pub.pem
  touchstone certify touchstone-report --key release.pub.pem --sign-key file:release.pem --out statement

Exit codes:
  0  the statement is written, whatever it states
  1  not verified: the bundle was altered, or the key did not sign it
  2  wrong usage, or a run that no statement can be made of
  3  verified in part: the run was interrupted, or another version judged it
  70 error of Touchstone`,
    run: async ([folder = ''], given, io) =>
      (await import('../certify/certify.ts')).certify(folder, given, io),
  }),
  row({
    name: 'baseline',
    description: 'write a policy that accepts the failures of a recorded run',
    argument: ['[run]', 'run bundle, or its run.json', 'touchstone-report'],
    options: baselineFlags,
    help: `
Examples:
  touchstone baseline --owner 'chat team' --reason 'being rewritten' --out baseline.yaml
  touchstone baseline nightly/run.json --days 30
  touchstone check simulator --policy baseline.yaml`,
    run: async ([run = ''], given, io) => (await import('../baseline/baseline.ts')).baseline(run, given, io),
  }),
  row({
    name: 'keygen',
    description: 'create a pair of Ed25519 keys to sign and verify runs',
    options: [
      [
        '--out <file>',
        'write the private key here, the public one next to it',
        { default: 'touchstone-key.pem' },
      ],
    ],
    run: async (_, { out }) => (await import('../seal/signer.ts')).keygen(out),
  }),
]
