import type { Actor } from './admin-actions.js';
import type { DashboardVisit } from './visit.js';

/** Whoever does something at a page of a world. */
export function actorOf({ caller, admin }: DashboardVisit): Actor {
  return { caller, adminId: admin.id };
}
