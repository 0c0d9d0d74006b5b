/** Faults, variants and interpretations as switches. */
import { useState } from 'preact/hooks'
import { act, useLive } from '../state/live.ts'
import { place, setQuery } from '../state/place.ts'
import { readTenant, tenantId } from '../state/tenant.ts'
import { Button, Check, Input, Copy, Select } from '../ui/controls.tsx'
import { Badge, Empty, Loaded, Panel, Text } from '../ui/panel.tsx'
import {
  choose,
  groupsOf,
  chosenIn,
  queryWith,
  readCatalogue,
  unusual,
  type Catalogue,
  type Chosen,
  type Question,
  type Switch,
} from './switches.ts'

export function SwitchesView() {
  const catalogue = useLive(readCatalogue, 'catalogue', 600_000)
  const chosen = useLive(readTenant, tenantId.value)
  return (
    <Loaded live={catalogue}>
      {(all) => (
        <Loaded live={chosen}>{(state) => <Switches all={all} chosen={chosenOf(all, state)} />}</Loaded>
      )}
    </Loaded>
  )
}

type State = Awaited<ReturnType<typeof readTenant>>

const chosenOf = ({ questions }: Catalogue, { faults, variants, interpretations }: State): Chosen => ({
  faults: faults ?? [],
  variants: variants ?? [],
  interpretations: unusual(questions, interpretations ?? {}),
})

function Switches({ all, chosen }: { all: Catalogue; chosen: Chosen }) {
  const [text, setText] = useState('')
  const words = text.toLowerCase()
  const fits = (...parts: readonly string[]): boolean =>
    parts.some((part) => part.toLowerCase().includes(words))
  const shown = all.switches.filter((one) => fits(one.name, one.text, ...one.clauses))
  const questions = all.questions.filter(({ id, question }) => fits(id, question))
  return (
    <>
      <FromLink chosen={chosen} />
      <On chosen={chosen} />
      <Input
        type="search"
        aria-label="Search faults, variants and interpretations"
        placeholder="Name, text or clause"
        value={text}
        onChange={setText}
      />
      {words === ''
        ? groupsOf(all.switches).map(([title, rows], at) => (
            <SwitchTable key={title} title={title} rows={rows} chosen={chosen} open={at === 0} />
          ))
        : shown.length > 0 && (
            <SwitchTable key="found" title="Found" rows={shown} chosen={chosen} open={true} />
          )}
      {shown.length + questions.length === 0 && <Empty>Nothing matches.</Empty>}
      {questions.length > 0 && (
        <Panel title={`Interpretations (${questions.length})`}>
          {questions.map((question) => (
            <Choice key={question.id} question={question} chosen={chosen} />
          ))}
        </Panel>
      )}
    </>
  )
}

/** A link asks before it changes anything. */
function FromLink({ chosen }: { chosen: Chosen }) {
  const wanted = chosenIn(place.value.query)
  if (wanted === null || queryWith(wanted) === queryWith(chosen)) return null
  const forget = () => setQuery({ faults: '', variants: '', interpretations: '' })
  return (
    <Panel title="This link switches on">
      <Names chosen={wanted} />
      <div class="row">
        <Button
          shown="Switch"
          class="main"
          onClick={() => act('Switched as in the link.', () => choose(wanted)).then(forget)}
        />
        <Button shown="Leave it" onClick={forget} />
      </div>
    </Panel>
  )
}

const isEmpty = ({ faults, variants, interpretations }: Chosen): boolean =>
  faults.length + variants.length + Object.keys(interpretations).length === 0

const none: Chosen = { faults: [], variants: [], interpretations: {} }

function On({ chosen }: { chosen: Chosen }) {
  const link = `${location.origin}${location.pathname}#/switches?${queryWith(chosen)}`
  return (
    <Panel
      title="On"
      aside={
        <div class="row">
          <Copy text={link} label="link that restores what is on" shown="Copy link" />
          <Button
            shown="Switch all off"
            disabled={isEmpty(chosen)}
            onClick={() => act('All faults, variants and interpretations are off.', () => choose(none))}
          />
        </div>
      }
    >
      {isEmpty(chosen) ? (
        <Empty>
          Nothing is on: the simulator conforms to the contract. Switch a fault on to see whether your client
          or your checks notice.
        </Empty>
      ) : (
        <Names chosen={chosen} />
      )}
    </Panel>
  )
}

function Names({ chosen: { faults, variants, interpretations } }: { chosen: Chosen }) {
  return (
    <p class="row">
      {faults.map((name) => (
        <Badge key={name} tone="bad">
          fault {name}
        </Badge>
      ))}
      {variants.map((name) => (
        <Badge key={name} tone="doubt">
          variant {name}
        </Badge>
      ))}
      {Object.entries(interpretations).map(([id, value]) => (
        <Badge key={id}>
          {id} = {value}
        </Badge>
      ))}
    </p>
  )
}

/** A search that finds more shows so many. */
const rowsMost = 60
const clausesMost = 3

interface SwitchTableProps {
  readonly title: string
  readonly rows: readonly Switch[]
  readonly chosen: Chosen
  readonly open: boolean
}

function SwitchTable({ title, rows, chosen, open }: SwitchTableProps) {
  const [isOpen, setIsOpen] = useState(open)
  return (
    <details class="panel" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <strong>{title}</strong> ({rows.length})
      </summary>
      {isOpen && (
        <div class="scroll">
          <table class="stacked">
            <tbody>
              {rows.slice(0, rowsMost).map((row) => (
                <SwitchRow key={row.name} row={row} chosen={chosen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isOpen && rows.length > rowsMost && (
        <p class="soft">{rows.length - rowsMost} more: search for them.</p>
      )}
    </details>
  )
}

function SwitchRow({ row: { kind, name, text, clauses }, chosen }: { row: Switch; chosen: Chosen }) {
  const toggle = (on: boolean): Promise<boolean> => {
    const names = on ? [...chosen[kind], name] : chosen[kind].filter((one) => one !== name)
    return act(`${name} is ${on ? 'on' : 'off'}.`, () => choose({ [kind]: names }))
  }
  const check = `npx touchstone check simulator --only '${clauses[0]}' --fault ${name}`
  return (
    <tr>
      <th scope="row">
        <Check label={name} checked={chosen[kind].includes(name)} onChange={toggle} />
      </th>
      <td>
        <Text text={text} />
        {clauses.length > 0 && (
          <div class="soft" title={clauses.join(' ')}>
            Found by the checks of {clauses.slice(0, clausesMost).join(', ')}
            {clauses.length > clausesMost && ` and ${clauses.length - clausesMost} more`}
          </div>
        )}
      </td>
      <td>
        {clauses.length > 0 && <Copy text={check} label={`check that finds ${name}`} shown="Copy check" />}
      </td>
    </tr>
  )
}

/** Options of a choice have no markup. */
const plain = (text: string): string => text.replaceAll('`', '')

function Choice({ question, chosen }: { question: Question; chosen: Chosen }) {
  const { id, interpretations } = question
  const texts = Object.entries(interpretations).map(([name, text]) => [name, plain(`${name}: ${text}`)])
  const label = plain(`${question.question} (${id})`)
  const set = (next: string) =>
    act(`${id} is ${next}.`, () => choose({ interpretations: { ...chosen.interpretations, [id]: next } }))
  if (texts.length === 1)
    return (
      <p>
        {label}: {texts[0]?.[1]}
      </p>
    )
  return (
    <p class="question">
      <Select
        label={label}
        value={chosen.interpretations[id] ?? texts[0]?.[0] ?? ''}
        options={Object.fromEntries(texts) as Record<string, string>}
        onChange={(next) => void set(next)}
      />
    </p>
  )
}
