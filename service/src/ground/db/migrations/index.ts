import type { Migration } from 'kysely';
import * as initial from './2026-11-22-initial.js';
import * as challengeBinding from './2026-11-23-challenge-binding.js';
import * as leases from './2026-11-25-leases.js';
import * as members from './2026-11-25-members.js';
import * as auditChain from './2026-11-25-operators-audit-chain.js';
import * as sessions from './2026-11-25-operators-sessions.js';
import * as stepUp from './2026-11-25-operators-step-up.js';

/** All migrations by name, in chronological order. Append only. */
export const migrations: Record<string, Migration> = {
  '2026-11-22-initial': initial,
  '2026-11-23-challenge-binding': challengeBinding,
  '2026-11-25-leases': leases,
  '2026-11-25-members': members,
  '2026-11-25-operators-audit-chain': auditChain,
  '2026-11-25-operators-sessions': sessions,
  '2026-11-25-operators-step-up': stepUp,
};
