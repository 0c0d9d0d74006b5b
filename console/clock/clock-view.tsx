export function ClockView() {
  return <p>…</p>
}
