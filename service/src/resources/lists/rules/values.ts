import { domainToASCII } from 'node:url';
import { validate as isUuid } from 'uuid';
import validator from 'validator';
import type { ListKind } from 'whorl/wire';
import { normaliseRange } from '../../../ground/ranges.js';
import { isStorable } from '../../../ground/text-rules.js';

interface ValueRule {
  /** What a value must be, after "must be". */
  readonly form: string;
  /** Returns the normal form, in which equal values have the same text; undefined for an invalid value. */
  readonly normalise: (text: string) => string | undefined;
  /** Whether spaces around a value belong to it. Default: false. */
  readonly hasSpaces?: true;
}

const maxUserIdLength = 256;
const maxAsn = 4_294_967_295;
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

const uuid = (text: string) => (isUuid(text) ? text.toLowerCase() : undefined);

/** What values of each kind look like. */
export const valueRules: Readonly<Record<ListKind, ValueRule>> = {
  device: { form: 'the ID of a device', normalise: uuid },
  hardware: { form: 'the ID of a hardware (`hardware_id`)', normalise: uuid },
  user: {
    form: `an identifier of 1 to ${maxUserIdLength} characters, in one line`,
    normalise: (text) =>
      text !== '' && text.length <= maxUserIdLength && !/\p{Cc}/u.test(text) && isStorable(text) ? text : undefined,
    // With and without them, it may name two users.
    hasSpaces: true,
  },
  address: { form: 'an address or a range such as 198.51.100.0/24', normalise: normaliseRange },
  asn: {
    form: 'the number of an autonomous system, such as 64496',
    normalise: (text) => {
      const digits = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1];
      return digits !== undefined && Number(digits) <= maxAsn ? String(Number(digits)) : undefined;
    },
  },
  country: {
    form: 'a country code such as DE (ISO 3166-1 alpha-2)',
    normalise: (text) => {
      const code = text.toUpperCase();
      return /^[A-Z]{2}$/.test(code) && regionNames.of(code) !== undefined ? code : undefined;
    },
  },
  email_domain: {
    form: 'a domain such as example.com',
    normalise: (text) => {
      const domain = domainToASCII(text.replace(/^@/, '')).toLowerCase();
      return validator.isFQDN(domain) ? domain : undefined;
    },
  },
};

/** Returns the normal form of a value; undefined if it is invalid. Spaces around it only count if they belong to it. */
export function normaliseValue(kind: ListKind, text: string): string | undefined {
  const { normalise, hasSpaces } = valueRules[kind];
  return normalise(hasSpaces ? text : text.trim());
}
