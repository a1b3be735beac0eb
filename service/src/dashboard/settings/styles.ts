/** The style of settings, keys and webhooks, after that of all pages. */
export const settingsStyles = `
form + p { margin-top: .75rem; } .settings th { width: 20%; } .settings th:nth-child(3) { width: 18%; }
.settings th:last-child { width: 42%; } .settings table { table-layout: fixed; }
.parts { display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); align-items: end; }
.parts > table { grid-column: 1 / -1; }
@media (max-width: 45rem) {
  .settings td:last-child, #changes td:last-child { display: block; text-align: left; }
  .settings td:last-child { font-size: .9rem; }
  .settings td:last-child::before, #changes td:last-child::before { content: none; }
}
.spread { justify-content: space-between; align-items: start; margin-bottom: .5rem; } .plain { list-style: none; margin: 0; padding: 0; }
.plain.row { margin-bottom: 1rem; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0; min-width: 0; }
fieldset > * + * { margin-top: .75rem; } legend { font-weight: 600; padding: 0 .35rem; }
.choice { min-width: 9rem; } .copy { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.copy input { flex: 1 1 20rem; }
`;
