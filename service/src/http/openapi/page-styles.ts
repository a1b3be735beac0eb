/** In the page itself, and allowed by its hash: the page loads nothing. */
export const styles = `
:root { color-scheme: light dark; --line: light-dark(#d0d5dd, #3a414b); --quiet: light-dark(#56606d, #a3adba);
  --panel: light-dark(#f4f6f8, #1c2128); --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.55 system-ui, sans-serif;
  background: light-dark(#fff, #14181d); color: light-dark(#1a1f26, #e6e9ee); overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { margin: 2.5rem 0 .25rem; font-size: 1.05rem; } h4 { margin: 1.25rem 0 .25rem; font-size: .95rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { background: var(--panel); padding: .75rem; border-radius: .5rem; white-space: pre-wrap; }
nav ul { columns: 18rem; padding-left: 1.1rem; } nav li { break-inside: avoid; }
dl { margin: .25rem 0; } dt { margin-top: .5rem; } dd { margin: 0 0 0 1rem; }
.quiet { color: var(--quiet); }
.method { text-transform: uppercase; }
@media (min-width: 40rem) { body { padding: 2rem; } }
`;
