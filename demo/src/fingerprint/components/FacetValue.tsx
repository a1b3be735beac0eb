import type { ReadingValue } from 'whorl';
import type { MemberRow } from '../facet-rows.js';

const clippedLength = 60;

/** Shows the values of a facet's readings, with long values collapsed. */
export function FacetValue({ members }: { readonly members: readonly MemberRow[] }) {
  return members.map(({ name, result }) => (
    <div key={name} className="member">
      {members.length > 1 && <span className="muted">{name}: </span>}
      {result.status === 'ok' ? <Value name={name} value={result.value} /> : <span className="muted">no value</span>}
    </div>
  ));
}

function Value({ name, value }: { readonly name: string; readonly value: ReadingValue }) {
  const text = textOf(value);
  if (text.length <= clippedLength) return <code>{text}</code>;
  return (
    <details>
      <summary>
        <code>{text.slice(0, clippedLength)}…</code> <span className="muted">{text.length} characters</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
      <section className="in-full" tabIndex={0} aria-label={`${name} in full`}>
        <pre>{text}</pre>
      </section>
    </details>
  );
}

function textOf(value: ReadingValue): string {
  if (value === '') return '–';
  if (!Array.isArray(value)) return String(value);
  return value.every((item) => typeof item !== 'object') ? value.map(textOf).join(', ') : JSON.stringify(value);
}
