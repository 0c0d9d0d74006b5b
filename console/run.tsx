/** Starts the page of `touchstone show`. */
import { render } from 'preact'
import './style.css'
import './runs/run.css'
import { openSession } from './runs/session.tsx'
import { RunShell } from './runs/shell.tsx'

const root = document.querySelector('#console')
if (root) {
  await openSession()
  render(<RunShell />, root)
}
