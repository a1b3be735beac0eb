import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeMmdb } from './mmdb.js';

/** Addresses in Germany, at AS64496, and in Japan, at AS64497. */
export const berlin = '81.2.69.142';
export const tokyo = '126.0.0.7';

const place = (country: string, asn: number) => ({
  country: { iso_code: country },
  autonomous_system_number: asn,
  autonomous_system_organization: `Network ${country}`,
});

/** Writes a database of the two places into a folder, and returns its path. */
export async function writePlaces(folder: string): Promise<string> {
  const path = join(folder, 'places.mmdb');
  const networks = [
    ['81.2.69.0/24', place('DE', 64496)],
    ['126.0.0.0/16', place('JP', 64497)],
  ] as const;
  await writeFile(path, writeMmdb(networks, { type: 'Test-City' }));
  return path;
}
