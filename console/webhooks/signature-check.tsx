/** Computes a signature, and holds it against the one that was sent. */
import { useEffect, useState } from 'preact/hooks'
import { credentials } from '../state/tenant.ts'
import { Code } from '../ui/code.tsx'
import { Badge, Panel } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { signatureOf } from './signature.ts'
import { verifyForms } from './verify-forms.ts'

const fields = [
  ['secret', 'Secret (secret_key of the created webhook)'],
  ['body', 'Raw body of the delivery'],
  ['sent', 'Signature that was sent'],
] as const

type Field = (typeof fields)[number][0]

export function SignatureCheck() {
  const [given, setGiven] = useState<Readonly<Record<Field, string>>>({ secret: '', body: '', sent: '' })
  const [computed, setComputed] = useState('')
  const { secret, body, sent } = given
  useEffect(() => {
    let current = true
    if (secret === '') setComputed('')
    else void signatureOf(secret, body).then((text) => current && setComputed(text))
    return () => {
      current = false
    }
  }, [secret, body])
  const header = credentials.value?.identifiers.signatureHeader ?? 'x-service-signature'
  return (
    <Panel title="Verify signatures">
      <div class="columns">
        <div>
          {fields.map(([name, label]) => (
            <p key={name}>
              <label>
                {label}
                <br />
                <textarea
                  class="mono wide"
                  rows={name === 'body' ? 4 : 1}
                  value={given[name]}
                  onInput={(event) => setGiven({ ...given, [name]: event.currentTarget.value })}
                />
              </label>
            </p>
          ))}
          <dl>
            <dt>computed</dt>
            <dd class="mono">{computed || '–'}</dd>
            <dt>sent</dt>
            <dd class="mono">{sent || '–'}</dd>
          </dl>
          {computed !== '' && sent !== '' && (
            <Badge tone={computed === sent.trim() ? 'good' : 'bad'}>
              {computed === sent.trim() ? 'they are equal' : 'they differ'}
            </Badge>
          )}
        </div>
        <div>
          <Tabs label="Language" names={Object.keys(verifyForms)}>
            {(name) => (
              <Code text={verifyForms[name]?.(header) ?? ''} label={`the verification in ${name}`} />
            )}
          </Tabs>
        </div>
      </div>
    </Panel>
  )
}
