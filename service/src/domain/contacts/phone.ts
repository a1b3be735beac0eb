import parsePhoneNumber from 'libphonenumber-js';

/**
 * Reads one phone number in international form, with `+` or with 00 in front, as E.164 (`+491701234567`). Undefined
 * where the text is none. Whether a number of such a length can exist in its country is checked, not whether it was
 * given out: numbering plans change more often than libraries. An extension is left out, for a text message has none.
 */
export function parsePhone(text: string): string | undefined {
  const international = text.trim().replace(/^00/, '+');
  // `extract: false`: the number alone, not one somewhere in a sentence.
  const phone = parsePhoneNumber(international, { extract: false });
  return phone?.isPossible() ? phone.number : undefined;
}
