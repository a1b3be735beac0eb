import type { FacetGroup, FacetName } from 'whorl/fingerprint';
import type { FacetRow } from '../facet-rows.js';
import { millisecondsOf } from '../words.js';
import { FacetValue } from './FacetValue.js';
import { Status } from './Status.js';

interface FacetTableProps {
  readonly group: FacetGroup;
  readonly title: string;
  readonly note: string;
  readonly rows: readonly FacetRow[];
  readonly changed: readonly FacetName[];
}

const columns = ['Facet', 'Value', 'Digest', 'Status', 'Time (ms)', 'Expected to change'];

/** Shows the facets of one group. */
export function FacetTable({ group, title, note, rows, changed }: FacetTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className="card table-scroll" tabIndex={0} aria-label={`${title} facets`}>
      <table>
        <caption>
          <span className={group}>{title}</span> {note}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, description, digest, members, durationMs, drift }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {changed.includes(name) && <span className="tag">changed</span>}
                <small>{description}</small>
              </th>
              <td className="value" data-label="Value">
                <FacetValue members={members} />
              </td>
              <td data-label="Digest">
                <code>{digest}</code>
              </td>
              <td data-label="Status">
                <Status members={members} />
              </td>
              <td className="number" data-label="Time (ms)">
                {millisecondsOf(durationMs)}
              </td>
              <td className="drift" data-label="Expected to change">
                {drift}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
