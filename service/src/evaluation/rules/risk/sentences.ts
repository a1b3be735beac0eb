import { rememberNewest } from '../../../ground/bounded-map-rules.js';
import type { ShortSentence } from '../../../ground/vocabulary.js';

/**
 * The sentences that explain what contributes to a risk. `{}` stands for a number, or for a word in parentheses.
 * Append only: evaluations store a sentence as its position.
 */
const sentences = {
  any_login: 'What is expected of any login.',
  nothing_to_compare: 'The user has no earlier logins to compare with.',
  same_fingerprint: 'The user had exactly this fingerprint before.',
  recognised: 'The fingerprint resembles a fingerprint of a device of the user.',
  same_hardware: 'The user had a device with the same hardware, and other settings.',
  same_system: 'The user had another device with the same system and browser.',
  new_system: 'The user never had this system and browser.',
  one_user: '{} user has it.',
  users: '{} users have it.',
  many_users: 'Many users have it.',
  same_address: 'The user had this address before.',
  same_network: 'The user had another address of this network.',
  same_city: 'The user had another address of this provider in this city.',
  same_provider: 'The user had another address of this provider.',
  same_country: 'The user had another provider in this country.',
  new_country: 'The user was never in this country.',
  unknown_place: 'The place is not known.',
  usual_kind: 'The user was on such a network ({}) before.',
  new_kind: 'The user was never on such a network ({}).',
  travel: 'Nobody travels as fast as {} km/h from the last place.',
  time: "{}% of the user's logins are expected at this time of day.",
  login_a_day_ago: 'Compared with {} earlier login, from {} day ago.',
  login_days_ago: 'Compared with {} earlier login, from {} days ago.',
  logins_a_day_ago: 'Compared with {} earlier logins, the last one from {} day ago.',
  logins_days_ago: 'Compared with {} earlier logins, the last one from {} days ago.',
  one_failure: '{} attempt failed within the last hour.',
  failures: '{} attempts failed within the last hour.',
  proof: 'The browser proved its key.',
  no_proof: 'The browser did not prove its key, as it did in {} of {} logins.',
  may_be_copy: 'Without a proof, it may be a copy: the user never was at this provider.',
  any_sign_up: 'What is expected of any sign-up.',
  tampering: 'The browser contradicts itself.',
  disposable_email: 'The email address is a disposable one.',
  velocity: 'Unusually many users share the device or the address.',
  unreadable_fingerprint: 'The fingerprint cannot be compared with any other.',
  automation: 'The browser is automated.',
  inspected: 'Developer tools are open.',
  unreadable_check: 'Something in the page prevented a check of the browser.',
  one_account: '{} other user was seen on this device ({}).',
  accounts: '{} other users were seen on this device ({}).',
  referrer: 'The referrer was seen on this device ({}).',
  referrer_at_address: 'The referrer was seen at this address.',
  failures_in_project: 'The project has far more failed attempts than usual.',
  failures_of_many: 'Attempts of many users failed on a device that looks the same.',
  failures_at_source: 'Attempts of many users failed from the same device, address or network.',
  kind: 'The address belongs to such a network ({}).',
} as const;

export type Sentence = keyof typeof sentences;

/** Returns a sentence with its values. */
export function say(name: Sentence, ...values: readonly (number | string)[]): string {
  return values.length === 0 ? sentences[name] : filled(sentences[name], values);
}

const texts = Object.values<string>(sentences);
const positions = new Map(texts.map((text, position) => [text, position]));
const value = /\d+(?:[,.]\d+)*|(?<=\()\w+(?=\))/g;

/** Returns the sentences of a text in their short form. The same texts return all the time. */
export const shorten = rememberNewest(
  (text: string): readonly ShortSentence[] =>
    text.split(/(?<=\.) /).map((sentence) => {
      const position = positions.get(sentence.replace(value, '{}'));
      return position === undefined ? sentence : [position, ...(sentence.match(value) ?? [])];
    }),
  1000,
);

/** Returns the text of shortened sentences. */
export function lengthen(sentences: readonly ShortSentence[]): string {
  return sentences
    .map((sentence) => {
      if (typeof sentence === 'string') return sentence;
      const [position, ...values] = sentence;
      return filled(texts[position] ?? '', values);
    })
    .join(' ');
}

function filled(text: string, values: readonly (number | string)[]): string {
  const rest = values.values();
  return text.replaceAll('{}', () => String(rest.next().value ?? ''));
}
