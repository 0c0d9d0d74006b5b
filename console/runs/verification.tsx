/** Whether the folder is as the run wrote it: in one word on every view, and part by part on its own. */
import { Empty, Panel } from '../ui/panel.tsx'
import { runAddress, runId } from './address.ts'
import type { Schemas } from './api.ts'
import { verification, verificationProblem, verifyAgain } from './overview-state.ts'
import { WordsBadge } from './verdict.tsx'

export function VerificationBadge() {
  if (verificationProblem.value !== null) return <a href={runAddress('verify')}>cannot be verified</a>
  const found = verification.value
  if (!found) return <span class="soft">verifying…</span>
  return (
    <a class="plain" href={runAddress('verify')} title={found.words.means}>
      <WordsBadge words={found.words} />
    </a>
  )
}

export function VerificationView() {
  const found = verification.value
  const verify = (rejudge: boolean): void => void verifyAgain(runId.value, rejudge)
  return (
    <>
      <p class="row">
        <button type="button" class="main" onClick={() => verify(false)}>
          Verify again
        </button>
        <button type="button" onClick={() => verify(true)}>
          Verify, and judge the journal again
        </button>
      </p>
      {verificationProblem.value !== null && (
        <p class="problem" role="alert">
          {verificationProblem.value}
        </p>
      )}
      <div aria-live="polite">
        {found ? <Parts found={found} /> : verificationProblem.value === null && <Empty>Verifying…</Empty>}
      </div>
    </>
  )
}

function Parts({ found: { words, conclusion, parts } }: { found: Schemas['Verification'] }) {
  return (
    <Panel title={words.word} aside={<WordsBadge words={words} />}>
      <p>{words.means}</p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <Part key={part.about} part={part} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft mono">{conclusion}</p>
    </Panel>
  )
}

const spoken: Readonly<Record<Schemas['Tone'], string>> = {
  good: 'verified',
  bad: 'not verified',
  doubt: 'incomplete',
  quiet: 'not checked',
}

function Part({ part: { about, sign, tone, words, problems } }: { part: Schemas['VerifiedPart'] }) {
  return (
    <tr>
      <th scope="row">
        <span class={tone}>
          <span aria-hidden="true">{sign}</span>
          <span class="unseen">{spoken[tone]}: </span>
        </span>{' '}
        {about}
      </th>
      <td>
        {words}
        {problems.length > 0 && (
          <ul class="bare">
            {problems.map((problem) => (
              <li key={problem} class="mono bad">
                {problem}
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}
