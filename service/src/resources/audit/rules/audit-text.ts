import {
  differencesOf,
  type LoggedChanges,
  type LoggedDifference,
  presentEnds,
  show,
} from '../../projects/rules/project-settings/log.js';
import { isAuditKind } from './audit.js';

/** Content of an entry of the audit log, apart from its kind, its time and the actor. */
export interface AuditContent {
  readonly changes: LoggedChanges | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns the content of an entry, one text for each change or detail. */
export function describeAuditContent({ changes, details }: AuditContent): string[] {
  const differences = changes ? differencesOf(changes).map(describeDifference) : [];
  const others = Object.entries(details).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${show(value)}`);
  return [...differences, ...others];
}

function describeDifference(change: LoggedDifference): string {
  const { what, isList, from, to } = change;
  if (isAuditKind(what)) return presentEnds(change);
  if (what === 'old_key_until') return `old key valid until ${to}`;
  if (!isList) return `${what}: ${from} → ${to}`;
  return `${what}: ${[to !== 'none' && `added ${to}`, from !== 'none' && `removed ${from}`].filter(Boolean).join('; ')}`;
}
