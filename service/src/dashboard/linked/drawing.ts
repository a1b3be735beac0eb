import { setImmediate } from 'node:timers/promises';
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import { html } from 'hono/html';
import type { LinkedAccounts } from '../../recognition/linked-accounts/linked-accounts.js';
import { linkRules, linkStrengths, type SharedThing } from '../../recognition/linked-accounts/rules/links.js';
import type { Html } from '../view/parts.js';
import { linkWords } from './words.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Node extends SimulationNodeDatum {
  readonly id: string;
  /** Distance that others keep, so that names do not lie on each other. */
  readonly radius: number;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly points: ReadonlyMap<string, Point>;
}

/** In CSS pixels. */
const maxWidth = 960;
const maxHeight = 560;
const margin = 40;
const maxScale = 2;
/** A larger graph shows names only as titles. */
const maxNames = 30;
const maxNameLength = 24;
/** Half of the usual width of a character. */
const halfCharacter = 3.4;
/** Enough for 500 nodes to settle. */
const ticks = 150;
/** Takes about 10 ms for 500 nodes. Then evaluations get their turn. */
const ticksAtOnce = 5;

/** Draws accounts as circles and what they share as squares. It works without a script: accounts are links. */
export async function linkedAccountsDrawing(base: string, { accounts, shared }: LinkedAccounts): Promise<Html> {
  const { width, height, points } = await layOut(accounts, shared);
  const pointOf = (id: string): Point => points.get(id) ?? { x: 0, y: 0 };
  const lines = linkStrengths.map((strength) => {
    const path = shared
      .filter(({ kind }) => linkRules[kind].strength === strength)
      .flatMap((thing) => thing.userIds.map((id) => line(pointOf(idOf(thing)), pointOf(id))));
    return path.length > 0 ? html`<path class="${strength}" d="${path.join('')}"/>` : undefined;
  });
  const squares = shared.map((thing) => {
    const { x, y } = pointOf(idOf(thing));
    return html`<rect x="${x - 4}" y="${y - 4}" width="8" height="8"><title>${linkWords[thing.kind]}${thing.label && `: ${thing.label}`}</title></rect>`;
  });
  const circles = accounts.map(({ id, external_id, status }, at) => {
    const { x, y } = pointOf(id);
    const name = hasNames(accounts) && html`<text x="${x}" y="${y - 11}">${shortened(external_id)}</text>`;
    return html`<a href="${base}/users/${id}" class="${at === 0 ? `first ${status}` : status}"><title>${external_id}</title><circle cx="${x}" cy="${y}" r="${at === 0 ? 9 : 6}"/>${name}</a>`;
  });
  return html`<svg class="graph" width="${width}" height="${height}" role="group" aria-label="Accounts, and what they share">
${lines}${squares}${circles}
</svg>`;
}

function hasNames(accounts: LinkedAccounts['accounts']): boolean {
  return accounts.length <= maxNames;
}

function idOf({ kind, value }: SharedThing): string {
  return `${kind} ${value}`;
}

function line(from: Point, to: Point): string {
  return `M${from.x} ${from.y}L${to.x} ${to.y}`;
}

function shortened(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}

/** Places connected nodes near each other, within the picture. The same graph always looks the same. */
async function layOut(accounts: LinkedAccounts['accounts'], shared: readonly SharedThing[]): Promise<Picture> {
  const radiusOf = (name: string) => (hasNames(accounts) ? 8 + halfCharacter * shortened(name).length : 0);
  const nodes: Node[] = [
    ...accounts.map(({ id, external_id }) => ({ id, radius: radiusOf(external_id) })),
    ...shared.map((thing) => ({ id: idOf(thing), radius: hasNames(accounts) ? 16 : 0 })),
  ];
  const links = shared.flatMap((thing) => thing.userIds.map((id) => ({ source: idOf(thing), target: id })));
  const simulation = forceSimulation(nodes)
    .force(
      'link',
      forceLink<Node, SimulationLinkDatum<Node>>(links)
        .id(({ id }) => id)
        .distance(30),
    )
    .force('charge', forceManyBody().strength(-60))
    .force('x', forceX())
    .force('y', forceY())
    .force(
      'collide',
      forceCollide<Node>(({ radius }) => radius),
    )
    .stop();
  for (let tick = 0; tick < ticks; tick += ticksAtOnce) {
    simulation.tick(ticksAtOnce);
    await setImmediate();
  }
  const side = Math.max(margin, ...nodes.map(({ radius }) => radius));
  return picture(
    nodes.map(({ id, x = 0, y = 0 }) => ({ id, x, y })),
    { x: side, y: margin },
  );
}

/** Fits the nodes into a picture. A small graph is not enlarged: its picture is smaller. */
function picture(nodes: readonly (Point & { readonly id: string })[], margins: Point): Picture {
  const extent = (axis: 'x' | 'y') => {
    const values = nodes.map((node) => node[axis]);
    const least = Math.min(...values);
    return { least, span: Math.max(...values) - least, margin: margins[axis] };
  };
  const [x, y] = [extent('x'), extent('y')];
  const scale = Math.min(maxScale, (maxWidth - 2 * x.margin) / x.span, (maxHeight - 2 * y.margin) / y.span);
  const place = (value: number, { least, margin }: typeof x) => round(margin + (value - least) * scale);
  return {
    width: round(x.span * scale + 2 * x.margin),
    height: round(y.span * scale + 2 * y.margin),
    points: new Map(nodes.map((node) => [node.id, { x: place(node.x, x), y: place(node.y, y) }])),
  };
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
