/**
 * A report format of one's own: what is broken, as rows of CSV, for a spreadsheet or a chat message.
 *
 *   npx touchstone report touchstone-report --format examples/exporters/broken-by-area.mjs
 *
 * @type {import('@touchstone-suite/touchstone/reports').Exporter}
 */
export default {
  name: 'broken-by-area',
  file: 'broken.csv',
  render: ({ record }) => {
    const broken = record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    const rows = broken.map(({ area, subject, level, verdict, expected, got, fingerprint }) =>
      [area, subject, level, verdict, expected, got, fingerprint].map(cell).join(','),
    )
    return ['area,clause,level,verdict,expected,got,fingerprint', ...rows, ''].join('\r\n')
  },
}

/** What a target sent may begin with a sign that a spreadsheet takes for a formula. */
function cell(value = '') {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
