/** A value as the protocol takes it: bytes as they are, all else as PostgreSQL reads it from text. */
export function toWire(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return toText(value);
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** In quotes, in which a backslash stands before what has a meaning (PostgreSQL, "Array Input and Output Syntax"). */
function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return toText(value);
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : toText(value);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
