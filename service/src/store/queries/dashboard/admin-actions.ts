import type { Insertable } from 'kysely';
import type { Transaction } from '../../../service.js';
import type { AdminActionTable } from '../../schema/index.js';

/** Writes down what a person did, in the transaction in which it is done. */
export async function insertAdminAction(trx: Transaction, action: Insertable<AdminActionTable>): Promise<void> {
  await trx.insertInto('admin_actions').values(action).execute();
}
