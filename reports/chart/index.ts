/**
 * Pictures of a run, each a pure function that gives what goes into a `figure`: a drawing, its finding in words, and
 * what its signs mean; `nothing` where there is nothing to draw. `chartStyle` is the part of the sheet they need.
 */
export { creditsOverRun } from './credits-over-run.ts'
export { deliveryAttempts } from './delivery-attempts.ts'
export { requestsOverTime } from './requests-over-time.ts'
export { streamTimeline } from './stream-timeline.ts'
export { verdictsByArea } from './verdicts-by-area.ts'
