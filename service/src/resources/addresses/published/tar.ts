import { UpdateError } from './update-error.js';

const blockBytes = 512;

/** Bytes of a stream, read in parts of any length. */
export interface Blocks {
  /** Returns up to this many bytes. Returns undefined at the end. */
  upTo(bytes: number): Promise<Buffer | undefined>;
  /** Returns this many bytes, or fewer at the end. */
  exactly(bytes: number): Promise<Buffer>;
}

export function readBlocks(chunks: AsyncIterable<Buffer>): Blocks {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const upTo = async (bytes: number) => {
    while (rest.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return undefined;
      rest = next.value;
    }
    const part = rest.subarray(0, bytes);
    rest = rest.subarray(part.length);
    return part;
  };
  return {
    upTo,
    async exactly(bytes) {
      const parts: Buffer[] = [];
      let missing = bytes;
      while (missing > 0) {
        const part = await upTo(missing);
        if (!part) break;
        parts.push(part);
        missing -= part.length;
      }
      return Buffer.concat(parts);
    },
  };
}

/**
 * Returns whether a block is the header of an entry of a tar archive (POSIX.1-1988, ustar). The header contains the sum of
 * its own bytes, in which the field of the sum counts as spaces.
 */
export function isTarHeader(block: Buffer): boolean {
  if (block.length !== blockBytes || block.toString('latin1', 257, 262) !== 'ustar') return false;
  let sum = 0;
  for (const [at, byte] of block.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  return sum === octal(block, 148, 156);
}

/**
 * Returns the content of the one MMDB file of a tar archive. Links, folders and other files are skipped. Names only serve
 * to find the file, and are never used as paths.
 *
 * @param first The first header, which has been read already.
 * @throws UpdateError if the archive is damaged, or contains no MMDB file or several.
 */
export async function* mmdbOfTar(first: Buffer, blocks: Blocks): AsyncGenerator<Buffer> {
  let found = 0;
  let header = first;
  // The archive ends with blocks of zeros.
  while (header.some((byte) => byte !== 0)) {
    if (!isTarHeader(header)) throw new UpdateError('the archive is damaged');
    const bytes = octal(header, 124, 136);
    const isWanted = isFile(header) && nameOf(header).endsWith('.mmdb');
    if (isWanted) found += 1;
    if (found > 1) throw new UpdateError('the archive contains several MMDB files');
    for (let left = bytes; left > 0; ) {
      const part = await blocks.upTo(left);
      if (!part) throw new UpdateError('the archive is incomplete');
      left -= part.length;
      if (isWanted) yield part;
    }
    await blocks.exactly(-bytes & (blockBytes - 1));
    header = await blocks.exactly(blockBytes);
  }
  if (found === 0) throw new UpdateError('the archive contains no MMDB file');
  // Read to the end, so that gzip compares its checksum.
  while (await blocks.upTo(Number.POSITIVE_INFINITY));
}

function isFile(header: Buffer): boolean {
  return header[156] === 0 || header[156] === 0x30;
}

function nameOf(header: Buffer): string {
  return header.toString('latin1', 0, 100).replace(/\0.*$/s, '');
}

/** Reads an octal number. Larger numbers, of files from 8 GiB, are in another format, which counts as damage. */
function octal(header: Buffer, from: number, to: number): number {
  const text = header
    .toString('latin1', from, to)
    .replace(/[\0 ]+$/, '')
    .trimStart();
  if (!/^[0-7]+$/.test(text)) throw new UpdateError('the archive is damaged');
  return Number.parseInt(text, 8);
}
