/**
 * Creates a parser of server-sent events (HTML standard, section 9.2.6) for text that arrives in chunks, split
 * anywhere. The decoder handles byte order marks. Ignores IDs and `retry`, which are not needed here.
 */
export function parseEvents(onEvent: (type: string, data: string) => void): (chunk: string) => void {
  let rest = '';
  let type = '';
  let data: string[] = [];
  return (chunk) => {
    // A carriage return at the end of a chunk may be the first half of a line break.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)/.exec(line) ?? [];
      if (field === 'event') type = value;
      if (field === 'data') data.push(value);
      if (line) continue;
      if (data.length) onEvent(type, data.join('\n'));
      type = '';
      data = [];
    }
  };
}
