/** A list and the entry that is open, side by side; on a narrow window one of them. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { place } from '../state/place.ts'

export function Split({ list, entry }: { list: ComponentChildren; entry: ComponentChildren }) {
  const opened = place.value.item !== ''
  return (
    <div class={opened ? 'browse opened' : 'browse'}>
      <div class="browse-list">{list}</div>
      <div class="browse-entry">{entry}</div>
    </div>
  )
}

/** The heading of an entry takes the focus, so that a keyboard or a screen reader goes on there. */
export function EntryHead({
  about,
  back,
  children,
}: {
  about: string
  back: string
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [about])
  return (
    <>
      <a class="back" href={back}>
        ← back to the list
      </a>
      <h2 ref={heading} tabIndex={-1} class="head">
        {children}
      </h2>
    </>
  )
}
