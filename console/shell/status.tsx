export function Status() {
  return <span class="soft">…</span>
}
