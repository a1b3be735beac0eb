import { type FacetName, facetGroups, facets, parse, unreadable } from 'whorl/fingerprint';

/** Something that may happen to a browser. */
export interface Scenario {
  readonly name: string;
  /** The facets that it usually changes (docs/research/identity.md). */
  readonly changes: readonly FacetName[];
  readonly elapsedDays: number;
  /** What the fingerprint does not show. */
  readonly note: string;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'An update of the browser',
    changes: ['surface', 'gl'],
    elapsedDays: 28,
    note: 'The descriptor has the new version. The saved fingerprint links both, so the service recognises the device.',
  },
  {
    name: 'A private window',
    changes: [],
    elapsedDays: 0,
    note: 'It has its own storage: neither the saved fingerprint nor the key is there, so the service may ask for a code.',
  },
  {
    name: 'Deleting cookies and storage',
    changes: [],
    elapsedDays: 0,
    note: 'The saved fingerprint and the key are lost. The facets are the same.',
  },
  {
    name: 'A VPN',
    changes: [],
    elapsedDays: 0,
    note: 'An address is no part of a fingerprint. The service sees a new address, and anonymous_network if it knows the VPN.',
  },
  {
    name: 'A journey to another time zone',
    changes: ['timezone'],
    elapsedDays: 1,
    note: 'The service also sees a new address, and perhaps a new country.',
  },
  {
    name: 'Another monitor',
    changes: ['screen'],
    elapsedDays: 0,
    note: 'A laptop changes it every time it is docked.',
  },
  {
    name: 'A new font and dark mode',
    changes: ['fonts', 'preferences'],
    elapsedDays: 7,
    note: 'Both are changes that people make rarely.',
  },
  {
    name: 'An extension that claims another graphics card and processor',
    changes: ['gpu', 'cpu'],
    elapsedDays: 0,
    note: 'Most such extensions leave traces, which set integrity bits: the service raises tampering.',
  },
  {
    name: 'Another computer with the same browser',
    changes: ['cpu', 'memory', 'gpu', 'gl', 'text', 'fonts', 'screen'],
    elapsedDays: 0,
    note: 'Two computers of one model may show no difference at all.',
  },
];

/** Returns the fingerprint that this browser might have after a scenario, or undefined if it cannot be read. */
export function imagine(fingerprint: string, { changes }: Scenario): string | undefined {
  const parsed = parse(fingerprint);
  if (!parsed) return undefined;
  const [version = '', descriptor = ''] = fingerprint.split('.');
  const groups = facetGroups.map((group) =>
    facets
      .filter((facet) => facet.group === group)
      .map(({ name }) => (changes.includes(name) ? another(parsed.facets[name]) : parsed.facets[name]))
      .join(''),
  );
  return [version, descriptor, ...groups, fingerprint.split('.').at(-1)].join('.');
}

/** Returns another digest. A facet that cannot be read stays unreadable. */
function another(digest: string): string {
  if (digest === unreadable) return digest;
  const reversed = [...digest].reverse().join('');
  return reversed === digest ? 'AAAB' : reversed;
}
