/** The parts that every view is made of. */
import type { ComponentChildren, VNode } from 'preact'
import { act, type Live } from '../state/live.ts'
import { prepareSituation } from '../state/tenant.ts'
import { Button } from './controls.tsx'

export const Panel = (props: { title: string; children: ComponentChildren; aside?: ComponentChildren }) => (
  <section class="panel">
    <header>
      <h2>{props.title}</h2>
      {props.aside}
    </header>
    {props.children}
  </section>
)

/** What is there instead of a list without entries: why, and what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** A panel with a list; `empty`: what stands there without entries. */
export const ListPanel = (props: { title: string; empty: ComponentChildren; children: readonly VNode[] }) => (
  <Panel title={props.title}>
    {props.children.length === 0 ? props.empty : <ul class="plain">{props.children}</ul>}
  </Panel>
)

export const EmptyWithSituation = (props: { situation: string; children: ComponentChildren }) => (
  <Empty>
    {props.children}{' '}
    <Button
      shown="Make an example"
      onClick={() => act(`Situation “${props.situation}” is ready.`, () => prepareSituation(props.situation))}
    />
  </Empty>
)

export function Loaded<T>({ live, children }: { live: Live<T>; children: (value: T) => ComponentChildren }) {
  return (
    <>
      {live.problem !== null && (
        <p class="problem" role="alert">
          <Text text={live.problem} />
        </p>
      )}
      {live.value === undefined
        ? live.problem === null && <p class="soft">Loading…</p>
        : children(live.value)}
    </>
  )
}

/** With what stands between backticks as code. */
export const Text = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
)

export type Tone = 'good' | 'bad' | 'doubt' | 'quiet'

export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** Counts as words; empty for none. */
export const counted = (count: number, noun: string): string =>
  count === 0 ? '' : count === 1 ? `1 ${noun}` : `${count} ${noun}s`

export const namedOrCounted = (names: readonly string[], noun: string): string =>
  names.length === 1 ? `${noun} ${names[0]}` : counted(names.length, noun)

export function duration(ms: number): string {
  const [unit, size] = units.find(([, , least]) => ms >= least) ?? ['ms', 1]
  return `${Math.round((ms / size) * 10) / 10} ${unit}`
}

/** Each from twice its size on, but seconds. */
const units = [
  ['days', 86_400_000, 172_800_000],
  ['h', 3_600_000, 3_600_000],
  ['min', 60_000, 120_000],
  ['s', 1_000, 1_000],
] as const
