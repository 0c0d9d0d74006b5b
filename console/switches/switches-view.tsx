/** Faults, variants and interpretations as switches. */
import { useState } from 'preact/hooks'
import { act, useLive } from '../state/live.ts'
import { place, setQuery } from '../state/place.ts'
import { tenantId } from '../state/tenant.ts'
import { Copy } from '../ui/copy.tsx'
import { Badge, Empty, Loaded, Panel } from '../ui/panel.tsx'
import { Select } from '../ui/select.tsx'
import {
  choose,
  groupsOf,
  chosenIn,
  queryWith,
  readCatalogue,
  readChosen,
  unusual,
  type Catalogue,
  type Chosen,
  type Question,
  type Switch,
} from './switches.ts'
import { Button } from '../ui/button.tsx'

export function SwitchesView() {
  const catalogue = useLive(readCatalogue, 'catalogue', 600_000)
  const chosen = useLive(readChosen, tenantId.value)
  return (
    <Loaded live={catalogue}>
      {(all) => (
        <Loaded live={chosen}>{(state) => <Switches all={all} chosen={chosenOf(all, state)} />}</Loaded>
      )}
    </Loaded>
  )
}

type State = Awaited<ReturnType<typeof readChosen>>

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
      <input
        type="search"
        aria-label="Search faults, variants and interpretations"
        placeholder="Name, text or clause"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {words === '' ? (
        groupsOf(all.switches).map(([title, rows], at) => (
          <SwitchTable key={title} title={title} rows={rows} chosen={chosen} open={at === 0} />
        ))
      ) : (
        <SwitchTable key="found" title="Found" rows={shown} chosen={chosen} open={true} />
      )}
      <Panel title={`Interpretations (${questions.length})`}>
        {questions.map((question) => (
          <Choice key={question.id} question={question} chosen={chosen} />
        ))}
      </Panel>
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
        <label class="row">
          <input
            type="checkbox"
            checked={chosen[kind].includes(name)}
            onChange={(event) => void toggle(event.currentTarget.checked)}
          />
          {name}
        </label>
      </th>
      <td>
        {text}
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

function Choice({ question, chosen }: { question: Question; chosen: Chosen }) {
  const { id, interpretations } = question
  const texts = Object.entries(interpretations).map(([name, text]) => [name, `${name}: ${text}`])
  const set = (next: string) =>
    act(`${id} is ${next}.`, () => choose({ interpretations: { ...chosen.interpretations, [id]: next } }))
  return (
    <p class="question">
      <Select
        label={`${question.question} (${id})`}
        value={chosen.interpretations[id] ?? texts[0]?.[0] ?? ''}
        options={Object.fromEntries(texts) as Record<string, string>}
        onChange={(next) => void set(next)}
      />
    </p>
  )
}
