import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { limited } from './download.js';
import { isTarHeader, mmdbOfTar, readBlocks } from './tar.js';

export interface UnpackOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Unpacks a downloaded file to a path at which no file may exist: removes gzip, and takes the one MMDB file from a tar
 * archive. Both are recognised by their content. Other files are copied. No name in an archive is used as a path.
 *
 * @throws UpdateError, or an error of zlib or the file system.
 */
export async function unpack(from: string, to: string, { maxBytes, signal }: UnpackOptions): Promise<void> {
  const contentOf = (chunks: AsyncIterable<Buffer>) => content(limited(chunks, maxBytes));
  const isPacked = await isGzip(from);
  const packed = createReadStream(from);
  const target = createWriteStream(to, { flags: 'wx' });
  if (isPacked) await pipeline(packed, createGunzip(), contentOf, target, { signal });
  else await pipeline(packed, contentOf, target, { signal });
}

async function* content(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const blocks = readBlocks(chunks);
  const head = await blocks.exactly(512);
  if (isTarHeader(head)) {
    yield* mmdbOfTar(head, blocks);
    return;
  }
  yield head;
  for (
    let part = await blocks.upTo(Number.POSITIVE_INFINITY);
    part;
    part = await blocks.upTo(Number.POSITIVE_INFINITY)
  ) {
    yield part;
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}
