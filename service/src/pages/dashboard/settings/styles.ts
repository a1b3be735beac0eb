/** The style of settings, keys and webhooks, after that of all pages. */
export const settingsStyles = `
.spread { justify-content: space-between; align-items: start; } .plain { list-style: none; margin: 0; padding: 0; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0; min-width: 0; }
fieldset > * + * { margin-top: .75rem; } legend { font-weight: 600; padding: 0 .35rem; }
.choice { min-width: 9rem; } .copy { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.copy input { flex: 1 1 20rem; }
`;
