import maxmind, { type Reader, type Response } from 'maxmind';
import { type RecordFacts, readRecord } from './rules/database-record.js';
import type { AddressKey } from './rules/public-key.js';

/** Open MMDB file. */
export interface AddressDatabase {
  /** Type and date from the file's metadata. */
  readonly type: string;
  readonly builtAt: Date;
  /** Facts that it has for most addresses. */
  readonly covers: ReadonlySet<CoveredFact>;
  /** Returns the facts about an address. `key` is the address as a number. */
  find(ip: string, key: AddressKey): RecordFacts | undefined;
}

/** Facts that come with the service, for which an operator's database can take its place. */
export type CoveredFact = 'country' | 'network';

/** Addresses in different parts of a file, looked up before it is used. */
const probes = ['1.1.1.1', '8.8.8.8', '93.184.215.14', '203.0.113.1', '2001:4860:4860::8888', '2a02:2e0::1'];

/**
 * Reads an MMDB file of any publisher into memory.
 *
 * @throws Error that says what is wrong with the file.
 */
export async function openDatabase(path: string): Promise<AddressDatabase> {
  const reader = await openReader(path);
  const { metadata } = reader;
  const isIpv4Only = metadata.ipVersion === 4;
  // The library caches decoded records, and many addresses share one.
  const facts = new WeakMap<object, RecordFacts>();
  const find = (ip: string) => {
    const record: unknown = reader.get(ip);
    if (typeof record !== 'object' || record === null) return undefined;
    const known = facts.get(record) ?? readRecord(record);
    facts.set(record, known);
    return known;
  };
  try {
    for (const ip of probes) if (!(isIpv4Only && ip.includes(':'))) find(ip);
  } catch (error) {
    throw new Error('the MMDB file is damaged', { cause: error });
  }
  return {
    type: metadata.databaseType,
    builtAt: metadata.buildEpoch,
    covers: coveredBy(find),
    find(ip, key) {
      // The library would look an IPv6 address up as if its first 32 bits were IPv4.
      return isIpv4Only && typeof key === 'bigint' ? undefined : findSafely(find, ip);
    },
  };
}

const samples = Array.from({ length: 223 }, (_, index) => `${index + 1}.${(index * 37) % 256}.1.1`);
const enoughSamples = 100;

/** Looks addresses of each IPv4 /8 up. Of these 223, about 200 belong to somebody. */
function coveredBy(find: (ip: string) => RecordFacts | undefined): ReadonlySet<CoveredFact> {
  const known = samples.flatMap((ip) => findSafely(find, ip) ?? []);
  const covered = new Set<CoveredFact>();
  if (known.filter(({ country }) => country !== undefined).length >= enoughSamples) covered.add('country');
  if (known.filter(({ asn }) => asn !== undefined).length >= enoughSamples) covered.add('network');
  return covered;
}

/** A damaged record is no reason to fail an evaluation. */
function findSafely(find: (ip: string) => RecordFacts | undefined, ip: string): RecordFacts | undefined {
  try {
    return find(ip);
  } catch {
    return undefined;
  }
}

async function openReader(path: string): Promise<Reader<Response>> {
  const reader = await maxmind.open<Response>(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) throw error;
    throw new Error('it is not an MMDB file, or is incomplete', { cause: error });
  });
  const { binaryFormatMajorVersion: format, nodeCount, searchTreeSize, databaseType } = reader.metadata;
  if (format !== 2) throw new Error(`its format has version ${format}, and only version 2 is supported`);
  if (!(nodeCount > 0 && searchTreeSize > 0) || typeof databaseType !== 'string') {
    throw new Error('the metadata of the MMDB file is damaged');
  }
  return reader;
}
