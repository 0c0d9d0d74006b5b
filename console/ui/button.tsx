/** A button that does something; what it returns is not waited for. */
export interface ButtonProps {
  readonly shown: string
  readonly onClick: () => unknown
  readonly class?: string
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-pressed'?: boolean
}

export const Button = ({ shown, onClick, ...attributes }: ButtonProps) => (
  <button type="button" {...attributes} onClick={() => void onClick()}>
    {shown}
  </button>
)
