import { maskPhone } from '../../../users/rules/mask.js';
import type { CodeMethod } from './method.js';

export const text: CodeMethod = {
  channel: 'text',
  contact: 'phone',
  context: 'user.phone',
  normalise: (to) => to,
  mask: maskPhone,
  words: { en: 'by text message', de: 'per SMS' },
  missingContact: 'The user has no phone number.',
  missingTransport:
    'This service cannot send text messages: set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or TEXT_URL ' +
    'and TEXT_TOKEN.',
};
