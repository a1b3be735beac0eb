import { parseEmail } from '../../../users/rules/contacts.js';
import { maskEmail } from '../../../users/rules/mask.js';
import type { CodeMethod } from './method.js';

export const email: CodeMethod = {
  channel: 'email',
  contact: 'email',
  context: 'user.email',
  // All spellings of a mailbox share its quota.
  normalise: (to) => parseEmail(to)?.normalised ?? to,
  mask: maskEmail,
  words: { en: 'by email', de: 'per E-Mail' },
  missingContact: 'The user has no email address.',
  missingTransport: 'This service cannot send email: set SMTP_URL and MAIL_FROM.',
};
