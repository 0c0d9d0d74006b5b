/** One of several texts or parts at a time. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

export interface TabsProps {
  readonly label: string
  readonly names: readonly string[]
  readonly children: (name: string) => ComponentChildren
}

export function Tabs({ label, names, children }: TabsProps) {
  const [chosen, setChosen] = useState(names[0] ?? '')
  const id = useId()
  /** Arrow keys move between tabs, as in every other list of tabs. */
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = names.at((names.indexOf(chosen) + step) % names.length) ?? chosen
    setChosen(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <>
      <div class="row tabs" role="tablist" aria-label={label}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => setChosen(name)}
            onKeyDown={move}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children(chosen)}
      </div>
    </>
  )
}
