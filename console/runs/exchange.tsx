/** One exchange: both messages, the checks that rest on it, and the others of its scenario on one time axis. */
import { signal } from '@preact/signals'
import { Code } from '../ui/code.tsx'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { runAddress, runId } from './address.ts'
import { listExchanges, readExchange, type Schemas } from './api.ts'
import { MessageView, messageForms, type MessageForm } from './messages/message.tsx'
import { byteCount, milliseconds } from './messages/plain-text.ts'
import { useReading } from './reading.ts'
import { EntryHead } from './split.tsx'
import { resultOf, TimeAxis } from './time-axis.tsx'
import { Facts, VerdictBadge } from './verdict.tsx'

type Detail = Schemas['ExchangeDetail']

const mostOnAxis = 200

export function Exchange({ id, back }: { id: number; back: string }) {
  const live = useReading(() => readExchange(id), `${runId.value} ${id}`)
  return (
    <Loaded live={live}>
      {(detail) => (
        <article>
          <EntryHead about={String(id)} back={back}>
            Exchange {id} <span class="mono">{resultOf(detail.item)}</span>
          </EntryHead>
          <p class="mono">
            {detail.item.inbound && 'received: '}
            {detail.item.method} {detail.item.path}
          </p>
          <Facts facts={factsOf(detail)} />
          <Messages detail={detail} />
          <Scenario item={detail.item} />
          <Panel title="Checks that rest on it">
            {detail.checks.length === 0 && <Empty>None.</Empty>}
            <ul class="bare">
              {detail.checks.map(({ check, verdict }) => (
                <li key={check}>
                  <VerdictBadge verdict={verdict} /> <a href={runAddress('checks', check)}>{check}</a>
                </li>
              ))}
            </ul>
          </Panel>
          {detail.curl !== undefined && (
            <Panel title="Send it again">
              <Code text={detail.curl} label="curl command" />
            </Panel>
          )}
        </article>
      )}
    </Loaded>
  )
}

/** Only the messages, for a check that rests on it. */
export function ExchangeBody({ id }: { id: number }) {
  const live = useReading(() => readExchange(id), `${runId.value} ${id}`)
  return <Loaded live={live}>{(detail) => <Messages detail={detail} />}</Loaded>
}

function factsOf({ item }: Detail): readonly Schemas['Fact'][] {
  const { scenario, name, principal, sentAt, headersAt, endedAt, sent, received } = item
  const headers = headersAt === null ? '' : `, headers after ${milliseconds(headersAt - sentAt)}`
  return [
    { name: 'scenario', value: `${scenario}: ${name}` },
    { name: 'as', value: principal ?? 'nobody' },
    {
      name: 'time',
      value: `+${milliseconds(sentAt)} since the start of the run${headers}, took ${milliseconds(endedAt - sentAt)}`,
    },
    { name: 'bodies', value: `${byteCount(sent)} sent, ${byteCount(received)} received` },
  ]
}

/** Chosen once for all messages. */
const form = signal<MessageForm>('text')

function Messages({ detail: { request, response, notes, events, item } }: { detail: Detail }) {
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="problem">
          {note}
        </p>
      ))}
      <div class="row" role="group" aria-label="Show messages as">
        {messageForms.map(([id, words]) => (
          <button key={id} type="button" aria-pressed={form.value === id} onClick={() => (form.value = id)}>
            {words}
          </button>
        ))}
      </div>
      <div class={`messages ${form.value}-form`}>
        <MessageView title="Request" message={request} form={form.value} since={item.sentAt} events={[]} />
        {response ? (
          <MessageView
            title="Response"
            message={response}
            form={form.value}
            since={item.sentAt}
            events={events}
          />
        ) : (
          <section>
            <h3>Response</h3>
            <Empty>No response came.</Empty>
          </section>
        )}
      </div>
    </>
  )
}

function Scenario({ item: { id, scenario } }: { item: Schemas['ExchangeItem'] }) {
  const live = useReading(() => listExchanges({ scenario, limit: mostOnAxis }), `${runId.value} ${scenario}`)
  return (
    <Panel
      title="Its scenario on one time axis"
      aside={<a href={runAddress('exchanges', String(id), { scenario })}>Filter</a>}
    >
      <Loaded live={live}>
        {({ items, total }) => (
          <>
            <TimeAxis
              open={id}
              rows={items.map((exchange) => ({
                exchange,
                role: exchange.name,
                decisive: exchange.id === id,
              }))}
            />
            {total > items.length && (
              <p class="soft">
                The first {items.length} of {total}.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
