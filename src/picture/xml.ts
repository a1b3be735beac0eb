/** What no XML text may hold, not even escaped, and line breaks: control characters, halves of surrogate pairs. */
const notInXml = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

/** A text in one line, as it may stand in an element or in a double-quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(notInXml, ' ').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
