/**
 * Reads server-sent events (HTML standard, section 9.2.6) from text that comes in pieces, cut anywhere. A byte order mark
 * is the decoder's business. Ids and `retry` are left out: nobody here needs them.
 */
export function parseEvents(tell: (type: string, data: string) => void): (piece: string) => void {
  let rest = '';
  let type = '';
  let data: string[] = [];
  return (piece) => {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)/.exec(line) ?? [];
      if (field === 'event') type = value;
      if (field === 'data') data.push(value);
      if (line) continue;
      if (data.length) tell(type, data.join('\n'));
      type = '';
      data = [];
    }
  };
}
