import ipaddr from 'ipaddr.js';

export type MmdbValue = string | number | boolean | readonly MmdbValue[] | { readonly [name: string]: MmdbValue };

/** Record of a network. If one network contains another, the larger one comes first. */
export type MmdbEntry = readonly [network: string, record: MmdbValue];

interface MmdbOptions {
  readonly type: string;
  /** Default: 2026-11-01. */
  readonly builtAt?: Date;
  /** 4: a file without IPv6. Default: 6. */
  readonly ipVersion?: 4 | 6;
}

/**
 * Returns a database in the MaxMind DB format, version 2.0 (https://maxmind.github.io/MaxMind-DB/), with records of 32
 * bits.
 */
export function writeMmdb(
  entries: readonly MmdbEntry[],
  { type, builtAt = new Date('2026-11-01T00:00:00Z'), ipVersion = 6 }: MmdbOptions,
): Buffer {
  const tree = new Tree();
  const data: Buffer[] = [];
  let dataLength = 0;
  for (const [network, record] of entries) {
    const encoded = encode(record);
    tree.insert(bitsOf(network, ipVersion), dataLength);
    data.push(encoded);
    dataLength += encoded.length;
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: type,
    description: { en: 'Test data' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: tree.size,
    record_size: 32,
  });
  const marker = Buffer.from('\xAB\xCD\xEFMaxMind.com', 'latin1');
  return Buffer.concat([tree.encode(), Buffer.alloc(separatorBytes), ...data, marker, metadata]);
}

const separatorBytes = 16;

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address, length] = ipaddr.parseCIDR(network);
  const prefix = address.kind() === 'ipv4' && ipVersion === 6 ? Array<number>(96).fill(0) : [];
  const bits = address
    .toByteArray()
    .flatMap((byte) => Array.from({ length: 8 }, (_, index) => (byte >> (7 - index)) & 1));
  return [...prefix, ...bits.slice(0, length)];
}

/** A side of a node: another node, an offset in the data, or nothing. */
type Side = { readonly node: number } | { readonly data: number } | undefined;

class Tree {
  readonly #nodes: [Side, Side][] = [[undefined, undefined]];

  get size(): number {
    return this.#nodes.length;
  }

  insert(bits: readonly number[], data: number): void {
    let at = 0;
    for (const [depth, bit] of bits.entries()) {
      const node = this.#nodes[at];
      if (!node) throw new Error('A node is missing.');
      const side = node[bit === 1 ? 1 : 0];
      if (depth === bits.length - 1) {
        node[bit === 1 ? 1 : 0] = { data };
        return;
      }
      if (side && 'node' in side) {
        at = side.node;
      } else {
        // A larger network's record holds for both halves.
        at = this.#nodes.push([side, side]) - 1;
        node[bit === 1 ? 1 : 0] = { node: at };
      }
    }
  }

  encode(): Buffer {
    const buffer = Buffer.alloc(this.size * 8);
    for (const [index, sides] of this.#nodes.entries()) {
      for (const [half, side] of sides.entries()) buffer.writeUInt32BE(this.#valueOf(side), index * 8 + half * 4);
    }
    return buffer;
  }

  #valueOf(side: Side): number {
    if (!side) return this.size;
    return 'node' in side ? side.node : this.size + separatorBytes + side.data;
  }
}

const types = { text: 2, double: 3, uint32: 6, map: 7, array: 11, boolean: 14 };

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(types.text, text.length), text]);
  }
  if (typeof value === 'boolean') return control(types.boolean, value ? 1 : 0);
  if (typeof value === 'number') return encodeNumber(value);
  if (isList(value)) return Buffer.concat([control(types.array, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(types.map, entries.length),
    ...entries.flatMap(([name, part]) => [encode(name), encode(part)]),
  ]);
}

/** `Array.isArray` does not recognise readonly arrays. */
function isList(value: object): value is readonly MmdbValue[] {
  return Array.isArray(value);
}

function encodeNumber(value: number): Buffer {
  const isWhole = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isWhole ? 4 : 8);
  if (isWhole) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(isWhole ? types.uint32 : types.double, bytes.length), bytes]);
}

/** Types above 7 are written in a second byte. */
function control(type: number, size: number): Buffer {
  const [shown, more] = size < 29 ? [size, []] : [29, [size - 29]];
  const isExtended = type > 7;
  return Buffer.from([((isExtended ? 0 : type) << 5) | shown, ...(isExtended ? [type - 7] : []), ...more]);
}
