import {
  differencesOf,
  type LoggedChanges,
  type LoggedDifference,
  show,
} from '../../projects/rules/project-settings/log.js';
import { isAuditKind } from './audit.js';

/** What an entry of the audit log holds beside its kind, its time and who acted. */
export interface AuditContent {
  readonly changes: LoggedChanges | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns what an entry says beside its kind, one text for each thing. */
export function describeAuditContent({ changes, details }: AuditContent): string[] {
  const differences = changes ? differencesOf(changes).map(describeDifference) : [];
  const others = Object.entries(details).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${show(value)}`);
  return [...differences, ...others];
}

function describeDifference({ what, isList, from, to }: LoggedDifference): string {
  const ends = [from, to].filter((end) => end !== 'none').join(' → ');
  if (isAuditKind(what)) return ends;
  if (what === 'old_key_until') return `old key valid until ${to}`;
  if (!isList) return `${what}: ${from} → ${to}`;
  return `${what}: ${[to !== 'none' && `added ${to}`, from !== 'none' && `removed ${from}`].filter(Boolean).join('; ')}`;
}
