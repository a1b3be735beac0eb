import { fromOutcome, toExpression } from './script';
import type { TestPage } from './types';

/** Evaluates alike in all engines; each has its own way to run an expression. */
export abstract class ScriptedPage {
  /** Resolves to what the expression's promise resolves to: the string that `toExpression` speaks of. */
  protected abstract run(expression: string): Promise<unknown>;

  evaluate: TestPage['evaluate'] = async (script, ...args) => fromOutcome(await this.run(toExpression(script, args)));
}
