// Spoofed and driven browsers, on this one machine: is it seen, and is the device still the same one?
//   node identity/spoofers.mjs [--identities 50]
import { parseArgs } from 'node:util';
import { drawIdentities } from './spoofers/identities.mjs';
import { runSpoofers } from './spoofers/runs.mjs';
import { startServer } from './spoofers/server.mjs';
import { compare, facets, parse, priors, readIntegrity } from '../../dist/fingerprint.js';

const { values } = parseArgs({ options: { identities: { type: 'string', default: '50' } } });
const server = await startServer();
const { version, reference, runs } = await runSpoofers(server.origin, drawIdentities(Number(values.identities)), 3);
console.log(version, reference.fingerprint, reference.withWorker, readIntegrity(parse(reference.fingerprint).integrity));
for (const { name, reads } of runs) {
  const count = {};
  for (const [key, facetKey] of [['fingerprint', 'facets'], ['withWorker', 'facetsWithWorker']]) {
    const changed = {}, bits = {}; const same = { project: 0, user: 0, userWithLast: 0 };
    for (const r of reads) {
      const a = parse(reference.fingerprint).facets, p = parse(r[key]);
      for (const f of facets) if (a[f.name] !== p.facets[f.name]) { (changed[f.name] ??= []).push(p.facets[f.name] === '~~~~' ? '~~~~' : r[facetKey][f.name]); }
      for (const b of readIntegrity(p.integrity)) bits[b] = (bits[b] ?? 0) + 1;
      for (const k in priors) if (k in same) same[k] += compare(reference.fingerprint, r[key], { prior: priors[k] }).same;
    }
    console.log(name, key, reads.length, JSON.stringify(same), JSON.stringify(bits));
    for (const [f, v] of Object.entries(changed)) console.log('   ', f, v.length, 'ref', reference[facetKey][f]?.slice(0, 90), '|', String(v[0]).slice(0, 90), '|', String(v.at(-1)).slice(0, 90));
  }
  for (const p of Object.keys(reference.peers)) console.log('   ', p, new Set([reference.peers[p], ...reads.map((r) => r.peers[p])]).size - 1, reads.find((r) => r.peers[p].startsWith('failed'))?.peers[p] ?? '');
}
await server.close();
