/** The first screen: both answers, what failed, the areas, and what the run was. */
import type { RunRecord } from '../../reports/bundle/record.ts'
import { clockTime, duration } from '../../reports/duration.ts'
import { originLine, sourceLine, addressOf, kindOf, underTest } from '../../reports/run/target-words.ts'
import { answerOf } from '../../reports/run/scope.ts'
import { byArea, tally } from '../../reports/verdicts/tally.ts'
import { verdictOrder, verdictWords, type VerdictWords } from '../../reports/verdicts/verdicts.ts'
import { visible } from '../../reports/visible.ts'
import { Panel } from '../ui/panel.tsx'
import { CheckRow } from './checks.tsx'
import { Facts, VerdictSign, type Verdict } from './parts.tsx'
import { run, runAddress, type ShownRun } from './run.ts'

const mostFailures = 50
const failed = ['fail', 'error', 'warn']

export const gateWords = ({ gate: { passed } }: RunRecord): VerdictWords =>
  passed
    ? { sign: '✓', word: 'passed', tone: 'good', means: 'The policy allows this result.' }
    : { sign: '✗', word: 'failed', tone: 'bad', means: 'The policy does not allow this result.' }

export function Overview() {
  const shown = run.value
  if (!shown) return null
  const { record, exchanges } = shown
  return (
    <>
      <Cautions run={shown} />
      <div class="answers">
        <Answer title="Conformance" words={answerOf(record)} />
        <Answer
          title="Gate"
          words={gateWords(record)}
          more={[`Exit code ${record.exitCode}.`, ...record.gate.because, ...record.gate.stalePolicy]}
        />
      </div>
      <Failures run={shown} />
      <div class="columns uneven">
        <Areas run={shown} />
        <Panel title="Run">
          <Facts facts={{ ...factsOf(record), exchanges: String(exchanges.length) }} />
        </Panel>
      </div>
    </>
  )
}

function Cautions({ run: { record, unreadable } }: { run: ShownRun }) {
  const { lifecycle } = record.run
  return (
    <>
      {unreadable.length > 0 && (
        <p class="problem">
          {unreadable.length} lines of journal.ndjson cannot be read, and are not shown; the first is line{' '}
          {unreadable[0]}. <code>touchstone verify</code> finds what was altered.
        </p>
      )}
      {lifecycle !== 'finished' && <p class="problem">The run was {lifecycle}.</p>}
    </>
  )
}

interface AnswerProps {
  readonly title: string
  readonly words: VerdictWords
  readonly more?: readonly string[]
}

function Answer({ title, words: { tone, sign, word, means }, more = [] }: AnswerProps) {
  return (
    <section class={`answer ${tone}`} aria-label={title}>
      <h2>{title}</h2>
      <p class="big">
        <span aria-hidden="true">{sign}</span> {word}
      </p>
      <p>{means}</p>
      {[...new Set(more)].map((line) => (
        <p key={line} class="soft">
          {visible(line)}
        </p>
      ))}
    </section>
  )
}

function Failures({ run: { findings } }: { run: ShownRun }) {
  const all = findings.filter(({ verdict }) => failed.includes(verdict))
  if (all.length === 0) return null
  return (
    <Panel
      title={`Failed and warned (${all.length})`}
      aside={<a href={runAddress('checks', '', { verdict: failed.join() })}>Filter</a>}
    >
      <ul class="bare rows">
        {all.slice(0, mostFailures).map((finding) => (
          <li key={finding.check}>
            <CheckRow finding={finding} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Areas({ run: { findings } }: { run: ShownRun }) {
  const all = tally(findings)
  const shown = verdictOrder.filter((verdict) => all[verdict] > 0)
  return (
    <Panel title="Areas">
      <div class="scroll" tabIndex={0} role="group" aria-label="Checks by area and verdict">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Area</th>
              {shown.map((verdict) => (
                <th scope="col" key={verdict}>
                  <VerdictSign verdict={verdict} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[['', findings] as const, ...byArea(findings)].map(([area, own]) => (
              <tr key={area}>
                <th scope="row">
                  <a href={runAddress('checks', '', { area })}>{area || 'all'}</a>
                </th>
                {shown.map((verdict) => (
                  <td key={verdict}>
                    <Count verdict={verdict} area={area} count={tally(own)[verdict]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function Count({ verdict, area, count }: { verdict: Verdict; area: string; count: number }) {
  const { tone, word } = verdictWords[verdict]
  if (count === 0) return null
  return (
    <a
      class={tone}
      href={runAddress('checks', '', { area, verdict })}
      aria-label={`${count} ${word}${area && ` in ${area}`}`}
    >
      {count}
    </a>
  )
}

function factsOf(record: RunRecord): Readonly<Record<string, string | null>> {
  const { run: about, target, tool, contract, used, budgets } = record
  const usage = (unit: 'requests' | 'turns' | 'credits'): string =>
    `${Math.round(used[unit] * 100) / 100} of ${budgets[unit]}`
  const facts = {
    target: `${target.name}, ${kindOf(target)}`,
    address: addressOf(target),
    'under test': underTest(target),
    started: clockTime(about.startedAt),
    took: duration(used.wallSeconds),
    requests: usage('requests'),
    turns: usage('turns'),
    credits: usage('credits'),
    by: [originLine(record), sourceLine(record)].filter(Boolean).join(', '),
    profile: about.profile,
    only: about.only.join(', '),
    'opt-in': about.optIn.join(', '),
    seed: String(about.seed),
    contract: `clauses of ${contract.revision}`,
    tool: `${tool.name} ${tool.version}, Node ${tool.node.replace(/^v/, '')}`,
    run: about.id,
  }
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, value && visible(value)]))
}
