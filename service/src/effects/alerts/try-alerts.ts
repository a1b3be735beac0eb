import { DeliveryUnavailable } from '../../ground/messages/message.js';
import { oneLine } from '../../ground/messages/one-line.js';
import { OperatorError } from '../../ground/operator-error.js';
import { daySeconds } from '../../ground/time.js';
import { findProject } from '../../resources/projects/find-project.js';
import { worldOf } from '../../resources/projects/queries/projects.js';
import { settingsSchema } from '../../resources/projects/rules/settings.js';
import { consumeQuota } from '../../resources/quotas/queries.js';
import type { Service } from '../../resources/service.js';
import { type Message, messageMail } from './message.js';
import { postToSlack } from './post-to-slack.js';
import { linkOf } from './rules/links.js';
import { alertWordsIn } from './rules/words/languages.js';
import type { ProjectChoice } from './slack.js';
import { findSlackUrl } from './slack-queries.js';

/** Maximum number of tests of a project in a day, because they send mails to any address. */
const testsPerDay = 20;

export interface TestOutcome {
  /** Email address, or `Slack`. */
  readonly receiver: string;
  /** Why the message was not sent. Undefined if it was. */
  readonly failure?: string;
}

/**
 * Sends a test message to each receiver of a project's alerts, also during quiet hours. It is sent once and not stored.
 *
 * @throws OperatorError if there are no receivers, or after 20 tests in a day.
 */
export async function tryAlerts(service: Service, { project }: ProjectChoice): Promise<TestOutcome[]> {
  const { db, publicUrl } = service;
  const { id, name, settings: stored } = await findProject(db, project);
  const { alert_emails: emails, alert_language: language } = settingsSchema.parse(stored);
  const worldId = await worldOf(db, id, 'live');
  const hasSlack = (await findSlackUrl(db, worldId)) !== undefined;
  if (emails.length === 0 && !hasSlack) throw new OperatorError('There is nobody to send to. Add a receiver first.');
  await countTest(service, worldId);
  const words = alertWordsIn(language);
  const shown = oneLine(name, 80);
  const message: Message = {
    language: words.language,
    subject: words.test.subject(shown),
    intro: words.test.intro(shown),
    lines: [words.test.note],
    link: { text: words.link, url: linkOf('unusual_rate', { publicUrl, projectId: id }) },
  };
  const outcomes: TestOutcome[] = [];
  for (const to of new Set(emails)) outcomes.push(outcomeOf(to, await mailFailure(service, to, message)));
  if (hasSlack) outcomes.push(outcomeOf('Slack', await postToSlack(service, worldId, message)));
  return outcomes;
}

async function countTest({ db, now }: Service, worldId: string): Promise<void> {
  const quota = { worldId, name: 'alert_tests', subject: '', limit: testsPerDay, windowSeconds: daySeconds };
  const { isAvailable } = await db.transaction().execute((trx) => consumeQuota(trx, quota, now()));
  if (!isAvailable) throw new OperatorError(`There were ${testsPerDay} tests today, the maximum. Try again tomorrow.`);
}

async function mailFailure({ sender }: Service, to: string, message: Message): Promise<string | undefined> {
  try {
    await sender.sendMail({ to, ...messageMail(message) });
    return undefined;
  } catch (error) {
    if (error instanceof DeliveryUnavailable) return error.failure.replaceAll('_', ' ');
    throw error;
  }
}

function outcomeOf(receiver: string, failure: string | undefined): TestOutcome {
  return { receiver, ...(failure !== undefined && { failure }) };
}
