import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export interface TextSocket {
  /** Earlier messages are buffered until then. */
  listen(onText: (text: string) => void): void;
  send(text: string): void;
  close(): void;
}

/**
 * The subset of WebSocket (RFC 6455) that the inspector uses: text in both directions. Node has its own from version
 * 22.
 */
export function connectTextSocket(url: string): Promise<TextSocket> {
  return new Promise((resolve, reject) => {
    const key = randomBytes(16).toString('base64');
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    };
    const upgrade = request(url.replace(/^ws:/, 'http:'), { headers });
    upgrade.once('error', reject);
    upgrade.once('response', (response) => reject(new Error(`No WebSocket at ${url}: ${response.statusCode}`)));
    upgrade.once('upgrade', (_, socket, head) => {
      // An exiting browser resets the connection, which its owner detects by other means.
      socket.on('error', () => socket.destroy());
      // Small messages would otherwise wait 40 ms for each other's acknowledgement.
      if (socket instanceof Socket) socket.setNoDelay(true);
      resolve({
        listen: (onText) => receive(socket, head, onText),
        send: (text) => write(socket, TEXT, Buffer.from(text)),
        close: () => socket.destroy(),
      });
    });
    upgrade.end();
  });
}

function receive(socket: Duplex, head: Buffer, onText: (text: string) => void): void {
  let rest = head;
  let parts: Buffer[] = [];
  const take = () => {
    for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.code === PING) write(socket, PONG, frame.payload);
      else if (frame.code === CLOSE) socket.end();
      else if (frame.code <= TEXT) {
        parts.push(frame.payload);
        if (!frame.last) continue;
        const text = Buffer.concat(parts).toString('utf8');
        parts = [];
        onText(text);
      }
    }
  };
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    take();
  });
  take();
}

interface Frame {
  last: boolean;
  code: number;
  payload: Buffer;
  end: number;
}

/** Returns the first frame if it is complete. Servers do not mask theirs. */
function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const first = bytes.readUInt8(0);
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return undefined;
  const end = start + length;
  return { last: (first & 0x80) !== 0, code: first & 0x0f, payload: bytes.subarray(start, end), end };
}

/** Clients must mask what they send; a mask of zeros is one. */
function write(socket: Duplex, code: number, payload: Buffer): void {
  const mask = Buffer.alloc(4);
  const size = payload.length;
  const head = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | code, 0);
  head.writeUInt8(0x80 | (size < 126 ? size : size < 65_536 ? 126 : 127), 1);
  if (head.length === 4) head.writeUInt16BE(size, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  socket.write(Buffer.concat([head, mask, payload]));
}
