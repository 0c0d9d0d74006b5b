/** Who ran it, against what, and when. */
import { ownCommand } from '../../bundle/own-command.ts'
import { clauseSetWords } from '../../bundle/clause-set.ts'
import type { Run, RunRecord } from '../../bundle/record.ts'
import { clockTime, duration } from '../../duration.ts'
import { howToDeclareVersion, sourceLine } from '../../run/origin-words.ts'
import { underTest } from '../../verdicts/under-test.ts'
import { html } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { counted, pairs, prose, webLink } from '../elements/words.ts'
import { kindAndPlace } from './identity.ts'

type Pair = readonly [name: string, value: Hole]

export function originOfRun({ record }: Run): readonly Markup[] {
  const { run, target, tool, used, contract } = record
  const product = [underTest(target), howToDeclareVersion(record)].filter(Boolean).join('; ')
  const end = run.lifecycle === 'finished' ? '' : `, ${run.lifecycle}`
  return [
    pairs(
      [
        ...startedBy(record),
        ['under test', html`${prose(target.name)}, ${kindAndPlace(target)}`],
        ['version', product === '' ? undefined : prose(product)],
        ['when', `${clockTime(run.startedAt)}, ${duration(used.wallSeconds)}${end}`],
        ['scope', `${run.profile} profile, seed ${run.seed}, ${counted(used.requests, 'request')}`],
        ['tool', `${tool.name} ${tool.version}, clause set ${clauseSetWords(contract)}`],
      ],
      'pairs long',
    ),
  ]
}

function startedBy(record: RunRecord): readonly Pair[] {
  const { origin } = record.run
  if (origin === undefined) return [['started by', 'not recorded']]
  const { ci, job, url, actor, host } = origin
  return [
    ['started by', actor ?? 'not recorded'],
    ['CI system', ci],
    ['CI job', url === undefined ? job : webLink(url, job)],
    ['branch, commit', sourceLine(record) || undefined],
    [ci === undefined ? 'host' : 'runner', host],
  ]
}

/** `key`: of the signature, where there is one. */
export function howToVerify({ record: { signing } }: Run): readonly Markup[] {
  const key = signing === undefined ? '' : ' --key PUBLIC_KEY.pem'
  const signed =
    signing === undefined
      ? html`The report is not signed, so this does not show who made it.`
      : html`It is signed with key <code>${signing.keyid}</code>; get the public key from whoever signed, not
          from this folder.`
  return [
    html`<p><code>${ownCommand} verify FOLDER${key} --rejudge</code></p>
      <p>
        in the folder of this report checks that no file was changed, and evaluates the recorded exchanges
        again. ${signed}
      </p>`,
  ]
}
