import { sql } from 'kysely';
import { type Transaction, verifyAudit } from '../../src/testing.js';
import type { TestService } from './service.js';

/** Thrown to undo what was done in a transaction. */
export class Undo extends Error {}

/** Returns what checks the audit log of a service. */
export function auditChainOf(service: () => TestService) {
  const verify = () => verifyAudit(service().db, service().service);

  /** Returns what `verifyAudit` finds after a change by somebody who can write to the database. The change is undone. */
  async function findAfter(tamper: (trx: Transaction) => Promise<unknown>): Promise<readonly string[]> {
    let problems: readonly string[] = [];
    await service()
      .db.transaction()
      .execute(async (trx) => {
        await sql`alter table audit_log disable trigger audit_log_is_append_only`.execute(trx);
        await tamper(trx);
        ({ problems } = await verifyAudit(trx, service().service));
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
    return problems;
  }

  return { verify, findAfter };
}
