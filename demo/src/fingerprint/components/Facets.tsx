import type { Components } from 'whorl';
import { facetGroups } from 'whorl/fingerprint';
import { changedFacets } from '../changed-facets.js';
import { facetRows } from '../facet-rows.js';
import { groupNotes } from '../notes.js';
import type { BrowserReading } from '../read-browser.js';
import { FacetTable } from './FacetTable.js';

interface FacetsProps {
  readonly reading: BrowserReading;
}

/** Shows all facets by group. */
export function Facets({ reading: { current, last, components } }: FacetsProps) {
  const changed = changedFacets(current, last) ?? [];
  return (
    <section className="stack" aria-labelledby="facets">
      <h2 id="facets">Facets</h2>
      <p>
        Three groups of facets, by what makes them change. A facet that cannot be read, or that the browser changes at
        random, is <code>~~~~</code>: no evidence, neither for nor against.
      </p>
      <SecondReading current={current} components={components} />
      {facetGroups.map((group) => (
        <FacetTable
          key={group}
          group={group}
          title={groupNotes[group].title}
          note={groupNotes[group].note}
          rows={facetRows(group, current, components)}
          changed={changed}
        />
      ))}
    </section>
  );
}

function SecondReading({ current, components }: { readonly current: string; readonly components: Components }) {
  const differing = changedFacets(current, components.fingerprint) ?? [];
  return (
    <p className="muted">
      The values come from a second reading, right after the first.{' '}
      {differing.length === 0 ? 'Both have the same values.' : `It differs from the first in: ${differing.join(', ')}.`}{' '}
      The time of a facet is that of its slowest reading. Readings in the worker run while the page makes others.
    </p>
  );
}
