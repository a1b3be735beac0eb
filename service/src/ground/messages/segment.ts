/** Characters of the GSM 7-bit default alphabet (3GPP TS 23.038, 6.2.1) and of its extension, which count twice. */
const alphabet = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
const extension = /[\^{}\\[~\]|€]/g;

const septetsPerSegment = 160;
/** UTF-16 code units in a segment with any other character. */
const unitsPerSegment = 70;

/** Returns whether a text message is sent, and paid for, as one segment. */
export function isOneSegment(text: string): boolean {
  if (!alphabet.test(text)) return text.length <= unitsPerSegment;
  return text.length + (text.match(extension)?.length ?? 0) <= septetsPerSegment;
}
