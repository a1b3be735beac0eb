/** First characters that make a spreadsheet run a value as a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * Returns a line of comma-separated values (RFC 4180), without its end. A value that a spreadsheet would run as a formula
 * begins with `'`.
 */
export function csvLine(values: readonly string[]): string {
  return values.map(cell).join(',');
}

function cell(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
