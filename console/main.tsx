/** Starts the console in the page. */
import { render } from 'preact'
import './style.css'
import { Shell } from './shell/shell.tsx'

const place = document.querySelector('#console')
if (place) render(<Shell />, place)
