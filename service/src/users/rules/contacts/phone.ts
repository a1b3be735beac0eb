import parsePhoneNumber, { type CountryCode, isSupportedCountry } from 'libphonenumber-js';

/** Whether a text is a country whose phone numbers can be read (ISO 3166-1 alpha-2). */
export function isPhoneCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/**
 * Reads one phone number as E.164 (`+491701234567`): in international form, with `+` or with 00 in front, or in the
 * national form of the default country, if there is one. Undefined where the text is none. Whether a number of such a
 * length can exist in its country is checked, not whether it was given out: numbering plans change more often than
 * libraries. An extension is left out, for a text message has none.
 */
export function parsePhone(text: string, defaultCountry: string | null = null): string | undefined {
  const international = text.trim().replace(/^00/, '+');
  const phone = parsePhoneNumber(international, {
    // The number alone, not one somewhere in a sentence.
    extract: false,
    ...(defaultCountry !== null && isPhoneCountry(defaultCountry) && { defaultCountry }),
  });
  return phone?.isPossible() ? phone.number : undefined;
}
