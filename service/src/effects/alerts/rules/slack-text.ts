/** Maximum length of a message, in characters. Slack truncates longer ones at 40,000. */
const maxLength = 10_000;

/**
 * Returns lines as the text of a Slack message. `&`, `<` and `>` are escaped, so that nothing in them becomes a link or
 * notifies a channel (https://docs.slack.dev/messaging/formatting-message-text/).
 */
export function slackText(lines: readonly string[]): string {
  const text = lines.join('\n').slice(0, maxLength);
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
