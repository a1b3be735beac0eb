/** First characters that make a spreadsheet run a value as a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * Returns a line of comma-separated values (RFC 4180), without its end. A value that a spreadsheet would run as a formula
 * begins with `'`. One with spaces around it has quotation marks, so that readers keep them.
 */
export function csvLine(values: readonly string[]): string {
  return values.map(cell).join(',');
}

function cell(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
