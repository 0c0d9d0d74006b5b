/** Starts the console in the page. */
import { render } from 'preact'
import './style.css'
import { keepFocus } from './state/focus.ts'
import { Shell } from './shell/shell.tsx'

keepFocus()
const place = document.querySelector('#console')
if (place) render(<Shell />, place)
