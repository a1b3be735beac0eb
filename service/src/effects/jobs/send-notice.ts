import { describeDevice } from '../../challenges/attempt.js';
import { signNoticeLink } from '../../ground/crypto/index.js';
import { DeliveryUnavailable } from '../../ground/messages/message.js';
import { noticeMail } from '../../ground/messages/notice-mail.js';
import { messagesIn } from '../../ground/messages/words/languages.js';
import { daySeconds } from '../../ground/time.js';
import { findNotice, type NoticeRow } from '../../resources/notices/queries.js';
import { formerEmailOf, isLinkValid, noticeLimits } from '../../resources/notices/rules.js';
import { readWorlds, type World } from '../../resources/projects/worlds.js';
import type { JobData } from '../../resources/queue/jobs.js';
import { indexesOfAddress } from '../../resources/quotas/address-indexes.js';
import { consumeQuota, type Quota, releaseQuota } from '../../resources/quotas/queries.js';
import type { Service } from '../../resources/service.js';
import { findUserById, type UserRow } from '../../resources/users/queries/users.js';
import { parseEmail } from '../../resources/users/rules/contacts.js';

const contactContext = 'user.email';

/**
 * Sends one message of a notice, within the quotas of the project and of the address. Rejects if it cannot be sent, so
 * that the queue retries. Above a quota, it is dropped.
 */
export async function sendNotice(
  service: Service,
  { worldId, noticeId, to: receiver }: JobData['send_notice'],
): Promise<void> {
  const notice = await findNotice(service.db, worldId, noticeId);
  const [world] = await readWorlds(service.db, worldId);
  const user = notice && (await findUserById(service.db, worldId, notice.user_id));
  if (!notice || !world || !user || notice.used_at || !isLinkValid(notice, service.now())) return;
  const to = addressOf(service, { notice, user, receiver });
  if (to === undefined) return;
  const quotas = quotasOf(service, world, to);
  const consumed = await consume(service, quotas);
  if (!consumed) {
    service.log.warn({ worldId, kind: notice.kind }, 'A message to a user was not sent: too many today');
    return;
  }
  try {
    await service.sender.sendMail({ to, ...mailOf(service, { world, notice, user, receiver }) });
  } catch (error) {
    // An address that cannot be reached counts, and is not tried again.
    if (error instanceof DeliveryUnavailable && error.failure === 'recipient') return;
    await service.db.transaction().execute(async (trx) => {
      for (const { quota, windowStart } of consumed) await releaseQuota(trx, quota, windowStart);
    });
    throw error;
  }
}

interface Sending {
  readonly notice: NoticeRow;
  readonly user: UserRow;
  readonly receiver: JobData['send_notice']['to'];
}

/** Returns the address, or undefined if it is no longer one or is the user's own, which gets the message anyway. */
function addressOf({ vault, now }: Service, { notice, user, receiver }: Sending): string | undefined {
  const own = user.email ? vault.open(user.email, contactContext) : undefined;
  if (receiver === 'current') return own;
  const sealed = receiver === 'former' ? formerEmailOf(user, now()) : notice.replaced_email;
  const other = sealed ? vault.open(sealed, contactContext) : undefined;
  return other === own ? undefined : other;
}

function quotasOf({ vault }: Service, { worldId, settings }: World, to: string): Quota[] {
  const address = parseEmail(to)?.normalised ?? to;
  const [subject, ...previousSubjects] = indexesOfAddress(vault, address, 'notices.email');
  const perDay = { worldId, windowSeconds: daySeconds };
  return [
    { ...perDay, name: 'notices_to_address', subject, previousSubjects, limit: noticeLimits.perAddressAndDay },
    { ...perDay, name: 'notices_of_project', subject: '', limit: settings.daily_mail_limit },
  ];
}

/** Consumes one unit of each quota; of none if one is exhausted. */
async function consume(
  { db, now }: Service,
  quotas: readonly Quota[],
): Promise<{ quota: Quota; windowStart: Date }[] | undefined> {
  return db.transaction().execute(async (trx) => {
    const consumed: { quota: Quota; windowStart: Date }[] = [];
    for (const quota of quotas) {
      const result = await consumeQuota(trx, quota, now());
      if (!result.isAvailable) {
        for (const other of consumed) await releaseQuota(trx, other.quota, other.windowStart);
        return undefined;
      }
      consumed.push({ quota, windowStart: result.windowStart });
    }
    return consumed;
  });
}

function mailOf(service: Service, { world, notice, user, receiver }: Sending & { readonly world: World }) {
  const { language } = user.metadata;
  const token = signNoticeLink(service.vault, { worldId: world.worldId, noticeId: notice.id });
  return noticeMail(messagesIn(typeof language === 'string' ? language : 'en'), {
    kind: notice.kind,
    project: world.project.name,
    isFormer: receiver !== 'current',
    attempt: describeDevice(service, { device: notice.info, ip: notice.ip ?? undefined, at: notice.created_at }),
    url: `${service.publicUrl}/n/account/${token}`,
  });
}
