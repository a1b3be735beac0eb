import { DeliveryUnavailable } from '../../ground/messages/message.js';
import { oneLine } from '../../ground/messages/one-line.js';
import { readWorlds, type World } from '../../resources/projects/worlds.js';
import type { JobData } from '../../resources/queue/jobs.js';
import type { Service } from '../../resources/service.js';
import { type Message, messageMail } from './message.js';
import { postToSlack } from './post-to-slack.js';
import { deleteMessage, findMessage } from './queries.js';
import { linkOf } from './rules/links.js';
import type { MessageContent } from './rules/message-content.js';
import { alertWordsIn } from './rules/words/languages.js';
import { daysOf, weekLines } from './rules/words/week-words.js';

/** Slack did not accept a message. Contains no part of the URL, and can be logged. */
class SlackUnavailable extends Error {
  constructor(outcome: string) {
    super(`Sending an alert to Slack failed: ${outcome}`);
    this.name = 'SlackUnavailable';
  }
}

/**
 * Sends a queued message to its receiver. Rejects if it cannot be sent, so that the queue retries. After a crash, it may be
 * sent twice.
 */
export async function sendAlert(service: Service, { worldId, messageId }: JobData['send_alert']): Promise<void> {
  const [world] = await readWorlds(service.db, worldId);
  const waiting = await findMessage(service.db, worldId, messageId);
  if (!world || !waiting) return;
  const message = write(service, world, waiting.content);
  if (waiting.email === undefined) {
    const failure = await postToSlack(service, worldId, message);
    if (failure !== undefined) throw new SlackUnavailable(failure);
  } else {
    await sendMail(service, waiting.email, message);
  }
  await deleteMessage(service.db, worldId, messageId);
}

async function sendMail(service: Service, to: string, message: Message): Promise<void> {
  try {
    await service.sender.sendMail({ to, ...messageMail(message) });
  } catch (error) {
    // An address that cannot be reached is not tried again.
    if (!(error instanceof DeliveryUnavailable && error.failure === 'recipient')) throw error;
    service.log.warn({ failure: error.failure }, 'An alert was not sent: the address cannot be reached');
  }
}

function write({ publicUrl }: Service, { project, settings }: World, content: MessageContent): Message {
  const words = alertWordsIn(settings.alert_language);
  const name = oneLine(project.name, 80);
  if (content.about === 'week') {
    const { week, describe, language } = words;
    return {
      language,
      subject: week.subject(name),
      intro: week.intro(name, ...daysOf(week, content)),
      lines: weekLines(week, content, describe),
      link: { text: words.link, url: `${linkOf('unusual_rate', { publicUrl, projectId: project.id })}?period=7d` },
    };
  }
  const { conditions } = content;
  const [first] = conditions;
  const kind = conditions.length === 1 && first ? first.kind : 'unusual_rate';
  return {
    language: words.language,
    subject: words.subject(name, conditions.length),
    intro: words.intro(name),
    lines: conditions.map((condition) => words.describe(condition)),
    link: { text: words.link, url: linkOf(kind, { publicUrl, projectId: project.id }) },
  };
}
