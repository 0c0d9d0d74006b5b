/** A long list of which only the visible rows are in the page. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly rowHeight: number
  readonly label: string
  readonly keyOf: (item: T) => string | number
  readonly children: (item: T) => ComponentChildren
  /** Place of a row that is scrolled to, such as the one that a link leads to; below 0: none. */
  readonly reveal?: number
}

/** Rows above and below the visible ones, so that fast scrolling shows no gaps. */
const spare = 10

export function VirtualList<T>({
  items,
  rowHeight,
  label,
  keyOf,
  children,
  reveal = -1,
}: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  useEffect(() => {
    const element = box.current
    const [top, height] = [reveal * rowHeight, element?.clientHeight ?? 0]
    const isShown = element && top >= element.scrollTop && top + rowHeight <= element.scrollTop + height
    if (element && reveal >= 0 && !isShown) element.scrollTo({ top: top - height / 3 })
  }, [reveal])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const shown = items.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * spare)
  return (
    <div class="virtual" ref={box} tabIndex={0} role="group" aria-label={label}>
      <ol style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map((item, at) => (
          <li
            key={keyOf(item)}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + at) * rowHeight}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ol>
    </div>
  )
}
