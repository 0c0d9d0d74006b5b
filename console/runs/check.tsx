/** One check: the clause, what was expected beside what was received, the evidence, and how to see it again. */
import { Code } from '../ui/code.tsx'
import { Copy } from '../ui/copy.tsx'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { runAddress, runId } from './address.ts'
import { readCheck, type Schemas } from './api.ts'
import { differenceOf, type Piece } from './difference.ts'
import { ExchangeBody } from './exchange.tsx'
import { Prose } from './prose.tsx'
import { endedRuns } from './live/follow.ts'
import { RerunButton } from './live/rerun.tsx'
import { WaiverPanel } from './live/waiver-form.tsx'
import { useNewest } from './reading.ts'
import { EntryHead } from './split.tsx'
import { TimeAxis } from './time-axis.tsx'
import { Facts, VerdictBadge, WordsBadge } from './verdict.tsx'

type Detail = Schemas['CheckDetail']

interface CheckProps {
  readonly check: string
  readonly query: Readonly<Record<string, string>>
  /** The list that it was opened from. */
  readonly among: readonly Schemas['CheckItem'][]
}

export function Check({ check, query, among }: CheckProps) {
  const live = useNewest(() => readCheck(check), `${runId.value} ${check} ${endedRuns.value}`)
  const at = among.findIndex((one) => one.check === check)
  const [before, after] = [among[at - 1], among[at + 1]]
  return (
    <Loaded live={live}>
      {(detail) => (
        <article>
          <EntryHead about={check} back={runAddress('checks', '', query)}>
            <VerdictBadge verdict={detail.item.verdict} /> {detail.item.clause}
          </EntryHead>
          <p class="row soft">
            <span class="mono">{check}</span> <Copy text={check} label="check id" />
            {before && at > 0 && <a href={runAddress('checks', before.check, query)}>previous</a>}
            {after && <a href={runAddress('checks', after.check, query)}>next</a>}
            <RerunButton checks={[check]}>Run again</RerunButton>
          </p>
          <Others check={check} others={detail.item.others} />
          <Clause detail={detail} />
          <Difference detail={detail} />
          <WaiverPanel check={check} verdict={detail.item.verdict} />
          <Proof detail={detail} />
          <Commands commands={detail.commands} />
          <Faults faults={detail.faults} />
        </article>
      )}
    </Loaded>
  )
}

/** The new verdict beside the old. */
function Others({ check, others }: { check: string; others: Detail['item']['others'] }) {
  if (others.length === 0) return null
  return (
    <ul class="bare row" aria-label="Other runs of this check">
      {others.map(({ run, later, words }) => (
        <li key={run}>
          <span class="soft">{later ? 'Run again:' : 'Before:'}</span> <WordsBadge words={words} />{' '}
          <a href={runAddress('checks', check, { run })}>{run}</a>
        </li>
      ))}
    </ul>
  )
}

function Clause({ detail: { text, source, basis, item, facts } }: { detail: Detail }) {
  return (
    <section class="clause">
      <p class="statement">
        <Prose text={text} />
      </p>
      <p class="soft">
        <strong>{item.level.toUpperCase()}</strong>{' '}
        {basis === 'stated' || basis === 'silent' ? '' : `(${basis}) `}· Contract: <Prose text={source} />
      </p>
      <p>
        <span class="soft">Scenario:</span> <Prose text={item.title} />{' '}
        <span class="soft mono">{item.scenario}</span>
      </p>
      <Facts facts={facts} />
    </section>
  )
}

function Difference({ detail: { expected, got, detail, reason, provide } }: { detail: Detail }) {
  const both = expected === undefined || got === undefined ? [] : differenceOf(expected, got)
  // Where they share nothing there is nothing to mark.
  const [left, right] = both.some((pieces) => pieces.some(({ same }) => same)) ? both : []
  return (
    <>
      {(expected !== undefined || got !== undefined) && (
        <div class="difference">
          <Side title="Expected" pieces={left} text={expected} />
          <Side title="Actual" pieces={right} text={got} />
        </div>
      )}
      {detail !== undefined && <p>{detail}</p>}
      {reason !== undefined && (
        <p>
          {reason} <span class="soft">{provide}</span>
        </p>
      )}
    </>
  )
}

function Side({
  title,
  pieces,
  text,
}: {
  title: string
  pieces: readonly Piece[] | undefined
  text: string | undefined
}) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <pre tabIndex={0} role="group" aria-label={`${title} text`}>
        {pieces
          ? pieces.map((piece, at) => (piece.same ? piece.text : <mark key={at}>{piece.text}</mark>))
          : (text ?? 'nothing recorded')}
      </pre>
    </section>
  )
}

function Proof({ detail: { evidence, more } }: { detail: Detail }) {
  const shows = evidence.find(({ decisive }) => decisive) ?? evidence.at(-1)
  if (!shows) return <Empty>It rests on no exchange.</Empty>
  return (
    <>
      <Panel
        title={evidence.length === 1 ? 'Evidence' : `Evidence: ${evidence.length} exchanges on one time axis`}
      >
        <TimeAxis rows={evidence} />
        {more > 0 && <p class="soft">{more} more are in the journal.</p>}
      </Panel>
      <Panel
        title={`Exchange ${shows.exchange.id}${shows.decisive ? ', which shows it' : ''}`}
        aside={<a href={runAddress('exchanges', String(shows.exchange.id))}>Open</a>}
      >
        <ExchangeBody id={shows.exchange.id} />
      </Panel>
    </>
  )
}

function Commands({ commands }: { commands: Detail['commands'] }) {
  if (commands.length === 0) return null
  return (
    <Panel title="See it again">
      {commands.map(({ what, command }) => (
        <div key={what}>
          <h3>{what}</h3>
          <Code text={command} label={what} />
        </div>
      ))}
    </Panel>
  )
}

const mostFaults = 12
const kinds: Readonly<Record<Schemas['Fault']['kind'], string>> = {
  simulator: 'fault of the simulator',
  receiver: 'broken receiver',
  client: 'broken client',
}

/** What shows that the check can fail. */
function Faults({ faults }: { faults: Detail['faults'] }) {
  return (
    <Panel title="Shown able to fail by">
      {faults.length === 0 && <Empty>No fault of the catalogue is known to fail this check.</Empty>}
      <ul class="bare">
        {faults.slice(0, mostFaults).map(({ fault, title, kind }) => (
          <li key={fault}>
            <code>{fault}</code> <span class="soft">{kinds[kind]}:</span> <Prose text={title} />
          </li>
        ))}
      </ul>
      {faults.length > mostFaults && <p class="soft">and {faults.length - mostFaults} more.</p>}
    </Panel>
  )
}
