/** The first screen: both answers, what failed, the areas, and what the run was. */
import { Panel } from '../../ui/panel.tsx'
import { runAddress, runId } from '../address.ts'
import { listChecks, type Schemas } from '../api.ts'
import { CheckRow } from '../check-row.tsx'
import { overview, verification, verificationProblem } from '../overview-state.ts'
import { endedRuns } from '../live/follow.ts'
import { RerunButton } from '../live/rerun.tsx'
import { useNewest } from '../reading.ts'
import { Facts, VerdictSign } from '../verdict.tsx'
import { UsageTable } from './usage.tsx'

const mostFailures = 50
const broken = 'fail,error,warn'

export function Overview() {
  const run = overview.value
  if (!run) return null
  return (
    <>
      <Cautions run={run} />
      <div class="answers">
        <Answer title="Conformance" words={run.conformance} />
        <Answer title="Gate" words={run.gate} more={[`Exit code ${run.exitCode}.`, ...run.because]} />
        <BundleAnswer />
      </div>
      <p class="row chips">
        {run.verdicts
          .filter(({ count }) => count > 0)
          .map(({ verdict, count, words }) => (
            <a key={verdict} class={`chip ${words.tone}`} href={runAddress('checks', '', { verdict })}>
              <span aria-hidden="true">{words.sign}</span> <strong>{count}</strong> {words.word}
            </a>
          ))}
      </p>
      <Failures />
      <div class="columns uneven">
        <Areas run={run} />
        <div>
          <Panel title="Usage">
            <UsageTable usage={run.usage} />
            <p class="soft">{run.exchanges} exchanges recorded.</p>
          </Panel>
          <Panel title="Run">
            <Facts facts={[{ name: 'folder', value: run.folder }, ...run.facts]} />
          </Panel>
        </div>
      </div>
    </>
  )
}

/** What has to be known before anything else is read. */
function Cautions({ run: { ends, unreadable } }: { run: Schemas['RunOverview'] }) {
  const altered = verification.value?.words.tone === 'bad' ? verification.value : null
  const problems = altered?.parts.flatMap((part) => part.problems) ?? []
  return (
    <>
      {altered && (
        <div class="problem" role="alert">
          <strong>Altered.</strong> {altered.words.means}{' '}
          <a href={runAddress('verify')}>{problems.length} problems</a>, the first:
          <span class="mono"> {problems[0]}</span>
        </div>
      )}
      {unreadable.length > 0 && (
        <p class="problem">
          Lines of journal.ndjson that cannot be read, and are not shown: {unreadable.slice(0, 20).join(', ')}
          {unreadable.length > 20 && ` and ${unreadable.length - 20} more`}.
        </p>
      )}
      {ends !== null && <p class="problem">{ends}</p>}
    </>
  )
}

function Answer({
  title,
  words,
  more = [],
}: {
  title: string
  words: Schemas['Words']
  more?: readonly string[]
}) {
  return (
    <section class={`answer ${words.tone}`} aria-label={title}>
      <h2>{title}</h2>
      <p class="big">
        <span aria-hidden="true">{words.sign}</span> {words.word}
      </p>
      <p>{words.means}</p>
      {more.map((line) => (
        <p key={line} class="soft">
          {line}
        </p>
      ))}
    </section>
  )
}

/** The parts of the folder that everything else rests on. */
const summarized = ['journal', 'manifest', 'signature']

function BundleAnswer() {
  const found = verification.value
  if (!found)
    return (
      <section class="answer quiet" aria-label="Bundle">
        <h2>Bundle</h2>
        <p>{verificationProblem.value ?? 'Verifying…'}</p>
      </section>
    )
  const parts = found.parts.filter(({ about }) => summarized.includes(about))
  return (
    <Answer
      title="Bundle"
      words={found.words}
      more={parts.map(({ about, words, problems: [first] }) =>
        [`${about}: ${words}`, first].filter(Boolean).join('; '),
      )}
    />
  )
}

function Failures() {
  const about = `${runId.value} ${endedRuns.value}`
  const { value } = useNewest(() => listChecks({ verdict: broken, limit: mostFailures }), about)
  if (!value || value.total === 0) return null
  return (
    <Panel
      title={`Failed and warned (${value.total})`}
      aside={
        <span class="row">
          <RerunButton checks={null}>Run all failed again</RerunButton>
          <a href={runAddress('checks', '', { verdict: broken })}>Filter</a>
        </span>
      }
    >
      <ul class="bare rows">
        {value.items.map((item) => (
          <li key={item.check}>
            <CheckRow item={item} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Areas({ run: { areas, verdicts } }: { run: Schemas['RunOverview'] }) {
  const shown = verdicts.filter(({ count }) => count > 0)
  return (
    <Panel title="Areas">
      <div class="scroll" tabIndex={0} role="group" aria-label="Checks by area and verdict">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Area</th>
              {shown.map(({ verdict }) => (
                <th scope="col" key={verdict}>
                  <VerdictSign verdict={verdict} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {areas.map(({ area, counts }) => (
              <tr key={area}>
                <th scope="row">
                  <a href={runAddress('checks', '', { area })}>{area}</a>
                </th>
                {shown.map(({ verdict, words }) => (
                  <td key={verdict}>
                    {(counts[verdict] ?? 0) > 0 && (
                      <a
                        class={words.tone}
                        href={runAddress('checks', '', { area, verdict })}
                        aria-label={`${counts[verdict]} ${words.word} in ${area}`}
                      >
                        {counts[verdict]}
                      </a>
                    )}
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
