/** This run beside an earlier one: what changed, check by check. */
import { place } from '../state/place.ts'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { runAddress, runId, setFilter } from './address.ts'
import { compareRuns, type Schemas } from './api.ts'
import { Prose } from './prose.tsx'
import { useReading } from './reading.ts'
import { Facts, WordsBadge } from './verdict.tsx'

export function Changes({ list }: { list: Schemas['RunList'] }) {
  const others = list.runs.filter(({ id }) => id !== runId.value)
  const next = list.runs[list.runs.findIndex(({ id }) => id === runId.value) + 1]?.id ?? ''
  const usual = list.since === null || list.since === runId.value ? next : list.since
  const since = place.value.query.get('since') ?? usual
  if (others.length === 0)
    return (
      <Empty>
        Only one run was named. Start with <code>touchstone show FOLDER --since EARLIER</code>, or name
        several folders.
      </Empty>
    )
  return (
    <>
      <p>
        <label>
          Since{' '}
          <select value={since} onChange={({ currentTarget: { value } }) => setFilter('since', value)}>
            <option value="">choose an earlier run</option>
            {others.map(({ id, startedAt }) => (
              <option key={id} value={id}>
                {startedAt === undefined ? id : `${id}, ${startedAt.slice(0, 19).replace('T', ' ')}`}
              </option>
            ))}
          </select>
        </label>
      </p>
      {since !== '' && <Comparison key={since} since={since} />}
    </>
  )
}

function Comparison({ since }: { since: string }) {
  const live = useReading(() => compareRuns(since), `${runId.value} ${since}`)
  return (
    <Loaded live={live}>
      {({ words, before, after, cautions, settings, kinds }) => (
        <>
          <Panel title={words.word} aside={<WordsBadge words={words} />}>
            <p>{words.means}</p>
            <Facts
              facts={[
                { name: 'earlier', value: before },
                { name: 'later', value: after },
              ]}
            />
          </Panel>
          {cautions.map((caution) => (
            <p key={caution} class="problem">
              {caution}
            </p>
          ))}
          {kinds.map((kind) => (
            <Kind key={kind.words.word} kind={kind} />
          ))}
          <Settings settings={settings} />
        </>
      )}
    </Loaded>
  )
}

function Kind({ kind: { words, changes } }: { kind: Schemas['ChangesOfKind'] }) {
  return (
    <Panel title={`${words.word} (${changes.length})`} aside={<span class="soft">{words.means}</span>}>
      <ul class="bare changes">
        {changes.map(({ check, about, step, fields, level }) => (
          <li key={check}>
            <p>
              <span class={words.tone}>{step}</span> <a href={runAddress('checks', check)}>{check}</a>{' '}
              <span class="soft">{level}</span>
            </p>
            <p class="soft">
              <Prose text={about} />
            </p>
            <Facts facts={fields} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What differs may be why verdicts differ, so it comes first. */
function Settings({ settings }: { settings: readonly Schemas['SharedSetting'][] }) {
  const differing = settings.toSorted((one, other) => Number(one.same) - Number(other.same))
  return (
    <Panel title="What the two runs share">
      <div class="scroll" tabIndex={0} role="group" aria-label="Settings of both runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Earlier</th>
              <th scope="col">Later</th>
              <th scope="col">So</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ what, before, after, same, means }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>{before}</td>
                <td>{after}</td>
                <td>{same ? '= the same' : `≠ ${means}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
