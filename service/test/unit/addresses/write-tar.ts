export interface TarEntry {
  readonly name: string;
  readonly content?: Buffer;
  /** As in the header: `0` a file, `2` a symbolic link, `5` a folder. Default: `0`. */
  readonly type?: string;
  readonly linkTo?: string;
}

/** Returns a tar archive (ustar). */
export function writeTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryBlocks), Buffer.alloc(1024)]);
}

function entryBlocks({ name, content = Buffer.alloc(0), type = '0', linkTo = '' }: TarEntry): Buffer[] {
  const header = Buffer.alloc(512);
  const write = (text: string, at: number) => header.write(text, at, 'latin1');
  write(name, 0);
  write('0000644\0', 100);
  write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  write('        ', 148);
  write(type, 156);
  write(linkTo, 157);
  write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc(-content.length & 511)];
}
