import { sql } from 'kysely';
import {
  createWebhookClient,
  pageCookieName,
  rotateSecret,
  type Schema,
  type Service,
  saveNotice,
  sealedTables,
  sessionName,
  setSlack,
  totpContext,
} from '../../src/testing.js';
import { adminOf, ownerInvitation } from './admin.js';
import { openPageShop } from './challenge-page.js';
import { home, laptop, phone } from './customer.js';
import type { TestService } from './service.js';
import { webhooksOf } from './webhooks.js';

type ValuesByColumn = Readonly<Record<string, readonly string[]>>;

/** Contents of each sealed column and each column of blind indexes, in hexadecimal. */
export interface SealedValues {
  readonly sealed: ValuesByColumn;
  readonly indexes: ValuesByColumn;
}

export async function sealedValuesOf({ db }: Pick<Service, 'db'>): Promise<SealedValues> {
  const read = async (columnsOf: (table: (typeof sealedTables)[number]) => readonly string[]) => {
    const entries = sealedTables.flatMap((each) => columnsOf(each).map((column) => ({ table: each.table, column })));
    const values = entries.map(async ({ table, column }) => [`${table}.${column}`, await bytesOf(db, table, column)]);
    return Object.fromEntries(await Promise.all(values));
  };
  return {
    sealed: await read(({ sealed }) => Object.keys(sealed)),
    indexes: await read(({ indexes = {} }) => Object.keys(indexes)),
  };
}

/** Returns the decrypted texts of all sealed values. */
export async function sealedTextsOf(service: Pick<Service, 'db' | 'vault'>): Promise<ValuesByColumn> {
  const { sealed } = await sealedValuesOf(service);
  const contexts = new Map(
    sealedTables.flatMap(({ table, sealed: columns }) =>
      Object.entries(columns).map(([column, context]): [string, string] => [`${table}.${column}`, context]),
    ),
  );
  const open = (column: string, hex: string) => service.vault.open(Buffer.from(hex, 'hex'), contexts.get(column) ?? '');
  return Object.fromEntries(
    Object.entries(sealed).map(([column, values]) => [column, values.map((hex) => open(column, hex)).sort()]),
  );
}

async function bytesOf(db: Service['db'], table: keyof Schema, column: string): Promise<string[]> {
  const { rows } = await sql<{ hex: string }>`
    select encode(${sql.ref(column)}, 'hex') as hex from ${sql.table(table)} where length(${sql.ref(column)}) > 0
    order by 1
  `.execute(db);
  return rows.map(({ hex }) => hex);
}

const sealTotp = ({ service: { vault } }: TestService) => vault.seal('JBSWY3DPEHPK3PXP', totpContext);

/** Makes the service write a value to each sealed column and each blind index. */
export async function fillSealedColumns(service: TestService): Promise<void> {
  const shop = await openPageShop(service, { mail_contact_changed: true });
  const { customer, project } = shop;
  for (const user of ['ada', 'ben', 'cid']) {
    const contacts = { email: `${user}.x@GMAIL.com`, phone: '+49 170 1234567' };
    await customer.ask('/v2/device/attach', { user, fingerprint: laptop, ip: home, ...contacts });
  }
  const referral = { action: 'referral', user: 'ben', fingerprint: phone, metadata: { referrer: 'ada' } };
  await customer.post('/v2/device/evaluate', referral, { 'Idempotency-Key': 'once' });
  for (const metadata of [{}, { campaign: 'spring' }, { referrer: 7 }]) {
    await customer.evaluate({ ...referral, user: 'cid', metadata });
  }
  await shop.visitor.get((await shop.challenged('dan')).link);
  await customer.claim('eve');
  // An empty value of an erased user remains.
  await customer.claim('fay');
  await customer.ask('/v2/user/fay/delete');
  // A changed address remains as a former one, and in the message about it.
  await customer.ask('/v2/user/ada/update', { email: 'ada.new@example.com' });
  const webhooks = { ...service.service, webhooks: createWebhookClient({ allowPrivate: true }) };
  const { world, add } = webhooksOf(webhooks, project);
  const { id: endpoint } = await add('http://127.0.0.1:9/');
  await rotateSecret(webhooks, { ...world, endpoint, keepOldForHours: 24 });
  await setSlack(webhooks, { project: project.project.id, url: 'http://127.0.0.1:9/services/secret' });
  const admin = await adminOf(service);
  const session = admin.cookies.get(pageCookieName(service.service, sessionName)) ?? '';
  await saveNotice(service.service, session, { kind: 'good', text: 'Done.' });
  await ownerInvitation(service, 'grace@example.com');
  const totp = { totp_secret: sealTotp(service), totp_pending: sealTotp(service) };
  await service.db.updateTable('admins').set(totp).execute();
}
