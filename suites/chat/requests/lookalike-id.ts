const otherSign = new Map(Array.from('0123456789abcdef', (sign, at) => [sign, '5678901234bcdefa'.charAt(at)]))

/** Sequential ids: the next one may be the agent of another account, but there are no hundreds of millions. */
const counted = /^(\D*)(\d{1,8})$/

/** An id of the same form that no agent has: in its last characters every digit and hexadecimal letter is replaced. */
export function lookalikeOf(id: string): string {
  const [, prefix, number] = counted.exec(id) ?? []
  if (number !== undefined) return `${prefix}${900_000_000 + Number(number)}`
  const tail = id.slice(-4).replaceAll(/[\da-f]/gi, (sign) => otherSign.get(sign.toLowerCase()) ?? sign)
  const other = id.slice(0, -4) + tail
  return other === id ? `${id}0` : other
}
