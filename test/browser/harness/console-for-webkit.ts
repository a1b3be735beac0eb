export const CONSOLE_PATH = '/harness/console-for-webkit.js';

/**
 * WebKitWebDriver reports no console messages, so the server adds this script to each page that it serves to WebKit. It
 * records console messages and errors in a list that TestPage.messages() reads.
 */
export const CONSOLE_SCRIPT = `(() => {
  const messages = [];
  Object.defineProperty(window, Symbol.for('harness.messages'), { value: messages });
  const show = (value) => {
    if (value instanceof Error || value instanceof DOMException) return value.name + ': ' + value.message;
    if (typeof value !== 'object' || value === null) return String(value);
    try { return JSON.stringify(value); } catch { return String(value); }
  };
  const kinds = { log: 'log', info: 'info', warn: 'warning', error: 'error', debug: 'debug' };
  for (const [method, kind] of Object.entries(kinds)) {
    const native = console[method];
    console[method] = (...args) => {
      messages.push({ kind, text: args.map(show).join(' ') });
      native.apply(console, args);
    };
  }
  addEventListener('error', (event) => messages.push({ kind: 'uncaught', text: event.error ? show(event.error) : event.message }));
  addEventListener('unhandledrejection', (event) => messages.push({ kind: 'uncaught', text: show(event.reason) }));
})();
`;

/** Only WebKit reports AppleWebKit without Chrome or Chromium. */
export function isWebKit(userAgent: string | undefined): boolean {
  return /AppleWebKit\//.test(userAgent ?? '') && !/Chrom(e|ium)\//.test(userAgent ?? '');
}

/** Returns the page with the script before all others. */
export function withConsoleScript(html: string): string {
  const tag = `<script src="${CONSOLE_PATH}"></script>`;
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, `$&${tag}`) : tag + html;
}
