/** Style sheet of all pages of the dashboard. */
export const styles = `
:root { color-scheme: light dark;
  --text: light-dark(#1a1f26, #e8ebf0); --quiet: light-dark(#525c69, #a9b3c0); --line: light-dark(#d5dae1, #333b46);
  --edge: light-dark(#7b8492, #8b95a3); --ground: light-dark(#f1f3f6, #12161b); --panel: light-dark(#fff, #1c2128);
  --accent: light-dark(#2457c5, #8ab4f8); --on-accent: light-dark(#fff, #10151c);
  --good: light-dark(#1a6b34, #7ddc9b); --good-ground: light-dark(#e7f5eb, #14301d);
  --warn: light-dark(#7a4a00, #f5c56b); --warn-ground: light-dark(#fdf2dc, #372a10);
  --info: light-dark(#1d4fb8, #9dc1fb); --info-ground: light-dark(#e8f0fd, #16294a);
  --severe: light-dark(#933a00, #ffb07a); --severe-ground: light-dark(#fdebdd, #40220e);
  --bad: light-dark(#a3160f, #ffb4ab); --bad-ground: light-dark(#fdeceb, #3b1a18);
  --chart-blue: light-dark(#2f6fde, #6fa3f7); --chart-orange: light-dark(#c65d00, #f29a4b); --chart-green: light-dark(#2b8a4b, #5fc483);
  --chart-red: light-dark(#c22f26, #f0827a); --chart-violet: light-dark(#7b4fc9, #b49af0); --chart-yellow: light-dark(#96790a, #d9bd4a);
  --chart-teal: light-dark(#14808c, #55bfca); --chart-pink: light-dark(#b5478f, #ea94c8); --chart-brown: light-dark(#7a5c3e, #c9a884);
  --chart-slate: light-dark(#39424e, #dfe5ec); --chart-lilac: light-dark(#b08fe0, #7d62b5); --chart-aqua: light-dark(#6cb6be, #2f7f89); --chart-grey: light-dark(#6b7480, #98a2af); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--text);
  overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: .5rem; top: .5rem; background: var(--panel); padding: .5rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

body > header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .6rem 1rem;
  background: var(--panel); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; font-size: 1.1rem; color: inherit; text-decoration: none; }
.find { display: flex; gap: .4rem; flex: 1 1 16rem; max-width: 30rem; min-width: 0; } .find input { flex: 1; min-width: 0; }
.place { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; } .project { font-weight: 600; }
.modes { display: inline-flex; border: 1px solid var(--edge); border-radius: .4rem; overflow: hidden; }
.modes a { padding: .1rem .7rem; text-decoration: none; color: inherit; } .modes a:focus-visible { outline-offset: -3px; }
.modes [aria-current] { background: var(--accent); color: var(--on-accent); }
.account { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-left: auto; }
.sections { background: var(--panel); border-bottom: 1px solid var(--line); }
.sections ul { list-style: none; margin: 0; padding: 0 .5rem; display: flex; flex-wrap: wrap; }
.sections a { display: block; padding: .5rem; color: inherit; text-decoration: none; border-bottom: 3px solid transparent; }
.sections a:hover { text-decoration: underline; }
.sections [aria-current] { border-bottom-color: var(--accent); font-weight: 600; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem; } main.narrow { max-width: 30rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem; } h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; } p { margin: 0 0 .75rem; }
.quiet, .hint { color: var(--quiet); } code, pre, .code { font-family: ui-monospace, monospace; font-size: .9em; }
pre { white-space: pre-wrap; background: var(--ground); padding: .75rem; border-radius: .5rem; margin: 0 0 .75rem; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 0 0 1rem; min-width: 0; }
.panel > :last-child { margin-bottom: 0; }
.grid { display: grid; align-items: start; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); }
.grid > .panel { margin: 0; } .grid { margin-bottom: 1rem; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; }
.notice { border-left: 4px solid; padding: .5rem .75rem; border-radius: .25rem; }
.notice.good { border-color: var(--good); background: var(--good-ground); } .notice.bad { border-color: var(--bad); background: var(--bad-ground); }
.notice.warn { border-color: var(--warn); background: var(--warn-ground); }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; border: 1px solid var(--edge); font-size: .9em; white-space: nowrap; }
.badge::first-letter { text-transform: uppercase; }
.badge.tag::first-letter { text-transform: none; }
.badge.good { color: var(--good); background: var(--good-ground); border-color: currentColor; }
.badge.info { color: var(--info); background: var(--info-ground); border-color: currentColor; }
.badge.severe { color: var(--severe); background: var(--severe-ground); border-color: currentColor; }
.badge.warn { color: var(--warn); background: var(--warn-ground); border-color: currentColor; }
.badge.bad { color: var(--bad); background: var(--bad-ground); border-color: currentColor; }
details.folded { padding: 0; } .folded > summary { padding: .6rem 1rem; } .folded > summary h2 { display: inline; }
.folded[open] { padding: 0 1rem 1rem; } .folded[open] > summary { margin: 0 -1rem .5rem; }
.verdict { font-size: 1.15rem; } .why { list-style: none; margin: 0 0 .75rem; padding: 0; }
.why > li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
.empty { text-align: center; padding: 2rem 1rem; color: var(--quiet); }

.tiles { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
.tiles > div { display: block; background: var(--panel); border: 1px solid var(--line); border-radius: .75rem; padding: .6rem .9rem; }
.tiles .change { font-size: .9rem; font-weight: 400; color: var(--quiet); } .tiles dd:first-of-type { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.choice ul { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; padding: 0; }
.choice a { display: block; padding: .2rem .8rem; border: 1px solid var(--edge); border-radius: 1rem; text-decoration: none; color: inherit; background: var(--panel); }
.choice [aria-current] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.chart { position: relative; height: 18rem; margin-bottom: .5rem; overflow: hidden; } .chart[hidden] { display: none; }
.wide { overflow-x: auto; }

table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); } .number { text-align: right; padding-right: 1.5rem; font-variant-numeric: tabular-nums; }
td form { display: inline-block; }
@media (max-width: 60rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr { display: block; }
  tr { border: 1px solid var(--line); border-radius: .5rem; padding: .25rem .75rem; margin-bottom: .75rem; }
  td, td.number { display: flex; justify-content: space-between; gap: 1rem; padding: .3rem 0; text-align: right; }
  td:last-child { border-bottom: 0; }
  td::before { content: attr(data-label); color: var(--quiet); text-align: left; flex: none; max-width: 45%; }
}
dl { margin: 0 0 1rem; } dl > div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 0 1rem;
  padding: .35rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--quiet); } dd { margin: 0; min-width: 0; }
@media (max-width: 30rem) { dl > div { grid-template-columns: 1fr; } }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1rem; margin: 0 0 1rem; }

form { margin: 0; } .stack > * + * { margin-top: .75rem; } .field { max-width: 40rem; }
label { font-weight: 600; display: block; } .hint, .error { margin: .1rem 0 .25rem; font-size: .9rem; }
.error { color: var(--bad); font-weight: 600; } .switch label { display: flex; gap: .5rem; align-items: center; }
input, select, textarea { font: inherit; color: inherit; background: light-dark(#fff, #12161b); border: 1px solid var(--edge);
  border-radius: .4rem; padding: .4rem .6rem; max-width: 100%; }
input:not([type=checkbox]), select, textarea { width: 100%; } input:not([type=checkbox]), select { min-height: 2.5rem; } input[type=checkbox] { width: 1.2rem; height: 1.2rem; accent-color: var(--accent); }
[aria-invalid] { border-color: var(--bad); border-width: 2px; }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .4rem 1rem; border-radius: .4rem; border: 1px solid var(--edge);
  background: transparent; color: inherit; cursor: pointer; text-decoration: none; }
.primary { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.danger { color: var(--bad); border-color: currentColor; } .small button { padding: .15rem .6rem; }
.link { border: 0; padding: 0; font-weight: 400; color: var(--accent); text-decoration: underline; }
summary { cursor: pointer; }
.unfold { display: none; }
@media (max-width: 45rem) {
  .unfold { display: flex; gap: .5rem; align-items: center; margin-bottom: .75rem; }
  .foldable:not(:has(.unfold > :checked)) > form { display: none; }
  .sections a { padding: .3rem .45rem; font-size: .95rem; } body > header { padding: .4rem 1rem; }
}
@media print { body > header, .sections, .pager { display: none; } }
svg.bar { display: block; width: 100%; height: .5rem; } .bar rect { fill: var(--chart-blue); }
.measured { display: block; min-width: 10rem; }

/* Users, devices, challenges and evaluations */
th { overflow-wrap: normal; } td time { white-space: nowrap; } button, .button, .badge, td time { overflow-wrap: break-word; }
.long { display: inline-block; max-width: 26ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
td > * { min-width: 0; } a > .long { text-decoration: underline; }
.whole { white-space: nowrap; } td .long { max-width: 18ch; }
@media (max-width: 80rem) { td time, td .badge { white-space: normal; } td .long { max-width: 14ch; } }
@media (max-width: 60rem) { .long, td .long { max-width: 100%; } }
.options { position: absolute; z-index: 1; list-style: none; margin: .25rem 0; padding: .25rem; width: min(40rem, calc(100vw - 5rem));
  background: var(--panel); border: 1px solid var(--edge); border-radius: .4rem; box-shadow: 0 4px 12px #0004; }
.options li { padding: .25rem .5rem; border-radius: .25rem; cursor: pointer; }
.options [aria-selected=true] { background: var(--accent); color: var(--on-accent); outline: 2px solid transparent; }
.acts { display: flex; flex-wrap: wrap; align-items: start; gap: .5rem 1.25rem; }
.act > summary { color: var(--accent); } .act[open] { flex-basis: 100%; } .act p { margin: .5rem 0; }
td .acts { gap: .25rem .75rem; } td .act { text-align: left; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem; }
.tabs [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.filters { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); align-items: end; }
.more { margin: .75rem 0; } .more > .filters { margin-top: .75rem; } .chips > li { max-width: 100%; } .chips a { display: flex; gap: .35rem; box-sizing: border-box; max-width: 100%; border: 1px solid var(--edge); border-radius: 1rem; padding: .15rem .7rem; text-decoration: none; }
.picture { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; } .picture > svg { flex: none; max-width: 100%; height: auto; }
.picture > div { flex: 1 1 14rem; min-width: 0; } .picture dl > div { grid-template-columns: 1fr; }
svg.bits { display: block; } .bits .for { fill: var(--chart-red); } .bits .against { fill: var(--chart-green); }
.bits line { stroke: var(--edge); }
.graph { display: block; } .graph path { fill: none; stroke: var(--quiet); stroke-width: 1.5; }
.graph.sample { display: inline-block; width: 2rem; height: .7rem; vertical-align: middle; } .graph .proven { stroke: var(--chart-red); stroke-width: 2.5; }
.graph .contact { stroke: var(--chart-orange); stroke-width: 2; } .graph .fingerprint { stroke: var(--chart-blue); } .graph .weak { stroke-dasharray: 3 4; }
.graph rect { fill: var(--quiet); } .graph circle { fill: var(--accent); stroke: var(--panel); stroke-width: 1.5; }
.graph .first circle { fill: var(--text); } .graph .suspended circle { fill: var(--chart-red); } .graph text { fill: var(--text); font-size: 12px; text-anchor: middle; paint-order: stroke; stroke: var(--panel); stroke-width: 3px; }
.metadata { max-height: 24rem; overflow-y: auto; }
.reason { margin-top: 1.5rem; } .reason h3 { margin-top: 0; }

/* Settings, keys and webhooks */
form + p, form + .row { margin-top: .75rem; } .settings th { width: 24%; } .settings th:nth-child(3) { width: 42%; }
.settings th:last-child { width: 10%; } .settings table { table-layout: fixed; }
.parts { display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); align-items: end; }
.parts > table { grid-column: 1 / -1; }
@media (max-width: 60rem) {
  .settings td:nth-child(3), #changes td:last-child { display: block; text-align: left; }
  .settings td:nth-child(3) { font-size: .9rem; }
  .settings td:nth-child(3)::before, #changes td:last-child::before { content: none; }
}
.spread { justify-content: space-between; align-items: start; margin-bottom: .5rem; } .plain { list-style: none; margin: 0; padding: 0; }
.plain.row { margin-bottom: 1rem; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0; min-width: 0; }
fieldset > * + * { margin-top: .75rem; } legend { font-weight: 600; padding: 0 .35rem; }
.choice { min-width: 9rem; } .copy { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.copy input { flex: 1 1 20rem; }
`;
