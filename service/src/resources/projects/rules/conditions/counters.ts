import { createHash } from 'node:crypto';
import { type ASTNode, serialize } from '@marcbachmann/cel-js';
import type { FactName, FactValues } from './facts.js';

/** Windows of counters, the same as of all counts of evaluations. */
export const counterWindows = ['5m', '1h', '24h'] as const;

export type CounterWindow = (typeof counterWindows)[number];

/** Maximum number of counters that the rules of a project name, and so of what an evaluation is counted by. */
export const maxCounters = 10;

/** Maximum length of the name of a counter, in UTF-16 code units. */
export const maxCounterName = 256;

/** Facts that the name of a counter can read: those of the request, which are known before anything is counted. */
export const counterFacts = [
  'action',
  'outcome',
  'metadata',
  'user.id',
  'address.ip',
] as const satisfies readonly FactName[];

/** Values of these facts. */
export type CounterFacts = Pick<FactValues, (typeof counterFacts)[number]>;

/** The name of a counter for one evaluation, or why it has none. */
export type CounterName = { readonly text: string } | { readonly problem: 'missing' | 'failed' };

/** Counter that a condition names. */
export interface NamedCounter {
  /** Stands for the expression of its name and for its window. Not for the name, which may be personal data. */
  readonly id: string;
  /** The call, as a condition spells it. */
  readonly text: string;
  readonly window: CounterWindow;
  /** Throws nothing. */
  readonly nameFor: (facts: Readonly<Record<string, unknown>>) => CounterName;
}

/** Call of `counter()` in a condition. */
export interface CounterCall {
  readonly id: string;
  readonly window: CounterWindow;
  readonly name: ASTNode;
  readonly start: number;
  readonly end: number;
}

/** Returns the calls of `counter()` in an expression that was checked, in the order of the text. */
export function counterCalls(node: ASTNode, partsOf: (node: ASTNode) => readonly ASTNode[]): CounterCall[] {
  const call = callOf(node);
  return call ? [call] : partsOf(node).flatMap((part) => counterCalls(part, partsOf));
}

/** Returns a condition that reads the values of counters in place of its calls, from the map `counters`. */
export function withoutCalls(text: string, calls: readonly CounterCall[]): string {
  let from = 0;
  const parts = calls.map(({ id, start, end }) => {
    const part = `${text.slice(from, start)}counters["${id}"]`;
    from = end;
    return part;
  });
  return parts.join('') + text.slice(from);
}

/** Returns the arguments of a call of `counter()`; undefined for anything else. */
export function counterArguments(node: ASTNode): readonly ASTNode[] | undefined {
  return node.op === 'call' && node.args[0] === 'counter' ? node.args[1] : undefined;
}

/** Returns the window of a call's second argument; undefined unless it is the text of one. */
export function windowOf(node: ASTNode | undefined): CounterWindow | undefined {
  return counterWindows.find((window) => node?.op === 'value' && node.args === window);
}

function callOf(node: ASTNode): CounterCall | undefined {
  const [name, second] = counterArguments(node) ?? [];
  const window = windowOf(second);
  if (!name || !window) return undefined;
  return { id: idOf(name, window), window, name, start: node.start, end: node.end };
}

/** Two spellings of the same expression have the same ID. */
function idOf(name: ASTNode, window: CounterWindow): string {
  return createHash('sha256')
    .update(`${window} ${serialize(name)}`)
    .digest('base64url')
    .slice(0, 8);
}
