/**
 * Characters that XML text cannot contain even when escaped, and line breaks: control characters and lone surrogates.
 */
const notInXml = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

/** Escapes a text for an element or a double-quoted attribute, and joins its lines. */
export function escapeXml(text: string): string {
  return text.replace(notInXml, ' ').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
