/** What somebody needs for the first request. */
import { Panel } from '../ui/panel.tsx'

export function Start() {
  return <Panel title="Base URL">{location.origin}</Panel>
}
