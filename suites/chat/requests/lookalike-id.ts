/** An id that looks like one of an agent and is none. */

const otherSign = new Map(Array.from('0123456789abcdef', (sign, at) => [sign, '5678901234bcdefa'.charAt(at)]))

/** Ids that are counted up: a neighbour would be the agent of somebody, but nobody has hundreds of millions. */
const counted = /^(\D*)(\d{1,8})$/

/** Another id of the same form: in its last characters every digit and hexadecimal letter is another one. */
export function neighbourOf(id: string): string {
  const [, prefix, number] = counted.exec(id) ?? []
  if (number !== undefined) return `${prefix}${900_000_000 + Number(number)}`
  const tail = id.slice(-4).replaceAll(/[\da-f]/gi, (sign) => otherSign.get(sign.toLowerCase()) ?? sign)
  const other = id.slice(0, -4) + tail
  return other === id ? `${id}0` : other
}
