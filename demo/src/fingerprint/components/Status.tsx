import type { MemberRow } from '../facet-rows.js';

/** Shows the status of a facet's readings: one word if all are equal, otherwise one each. */
export function Status({ members }: { readonly members: readonly MemberRow[] }) {
  const isUniform = members.every(({ result }) => result.status === members[0]?.result.status);
  return (isUniform ? members.slice(0, 1) : members).map(({ name, result }) => (
    <div key={name} className="member">
      {!isUniform && <span className="muted">{name}: </span>}
      <span className={`status status-${result.status}`}>{result.status}</span>
      {result.status !== 'ok' && result.message && <small>{result.message}</small>}
    </div>
  ));
}
