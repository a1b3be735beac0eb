import { expect, test } from 'vitest';
import { parseEvents } from '../../src/on-detached/parse-events';

function parse(...pieces: string[]): [type: string, data: string][] {
  const events: [string, string][] = [];
  const read = parseEvents((type, data) => events.push([type, data]));
  for (const piece of pieces) read(piece);
  return events;
}

const text = 'retry: 2000\n\n:\n\nid: 1\nevent: detached\ndata: {"a": "é: \\n"}\n\nevent: token\ndata: 1\ndata:2\n\n';
const events = [
  ['detached', '{"a": "é: \\n"}'],
  ['token', '1\n2'],
];

test.each(['\n', '\r\n', '\r'])('lines that end with %j, split at every position', (end) => {
  const written = text.replaceAll('\n', end);
  // A CR at the end may be the first half of a CRLF.
  for (let at = 0; at <= written.length; at++) {
    expect(parse(written.slice(0, at), written.slice(at), ':\n')).toEqual(events);
  }
  expect(parse(...written, ':\n')).toEqual(events);
});

test('an incomplete event is not reported', () => {
  expect(parse('event: detached\ndata: 1\n')).toEqual([]);
});

test('comments, other fields and events without data are ignored, and their type is discarded', () => {
  expect(parse(': data: 1\n\nevent: detached\n\ndata: 1\nDATA: 2\nnonsense\n\n')).toEqual([['', '1']]);
});

test('one space after the colon is removed, others belong to the value', () => {
  expect(parse('data:  a: b \n\ndata\n\n')).toEqual([
    ['', ' a: b '],
    ['', ''],
  ]);
});

test('the decoder removes a byte order mark', () => {
  const bytes = new TextEncoder().encode('\ufeffdata: 1\n\n');
  const decoder = new TextDecoder();
  const pieces = [...bytes].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
  expect(parse(...pieces)).toEqual([['', '1']]);
});
