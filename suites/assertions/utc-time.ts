/**
 * Times in ISO 8601 that say they are UTC, in the extended or the basic form; a fraction of a second may follow a
 * point or a comma. A time without a zone is invalid: its clock is unknown.
 */
const extended =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d+)?)?(?:Z|[+-]00(?::?00)?)$/i
const basic =
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})T(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,]\d+)?)?(?:Z|[+-]00(?::?00)?)$/i

export function isUtcTime(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const parts = (extended.exec(value) ?? basic.exec(value))?.groups
  if (!parts) return false
  const [year, month, day] = [Number(parts['year']), Number(parts['month']), Number(parts['day'])]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  // A leap second is the sixtieth of its minute.
  return (
    isDay && Number(parts['hour']) < 24 && Number(parts['minute']) < 60 && Number(parts['second'] ?? 0) <= 60
  )
}
