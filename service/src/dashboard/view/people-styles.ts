/** What the pages of users, devices, challenges and evaluations need beside the rest. */
export const peopleStyles = `
th { overflow-wrap: normal; } td time { white-space: nowrap; }
.long { display: inline-block; max-width: 26ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
td > * { min-width: 0; } a > .long { text-decoration: underline; }
.whole { white-space: nowrap; }
@media (max-width: 45rem) { .long { max-width: 100%; } .whole { white-space: normal; } }
.acts { display: flex; flex-wrap: wrap; align-items: start; gap: .5rem 1.25rem; }
.act > summary { color: var(--accent); } .act[open] { flex-basis: 100%; } .act p { margin: .5rem 0; }
td .acts { gap: .25rem .75rem; } td .act { text-align: left; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem; }
.tabs [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.filters { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); align-items: end; }
.picture { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; } .picture > svg { flex: none; max-width: 100%; height: auto; }
.picture > div { flex: 1 1 14rem; min-width: 0; }
.metadata { max-height: 24rem; overflow-y: auto; }
.reason { margin-top: 1.5rem; } .reason h3 { margin-top: 0; }
`;
