import type { z } from 'zod';
import type { Caller, Service } from '../../resources/service.js';

/** Who asks. */
export interface Asking {
  readonly service: Service;
  readonly caller: Caller;
}

/** Something that an assistant can read. No tool changes anything. */
export interface AssistantTool {
  readonly name: string;
  /** Tells the assistant when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** @throws {ApiError} `invalid_request`, `not_found`, `rate_limited` */
  read(asking: Asking, input: unknown): Promise<unknown>;
}

/** Creates a tool whose input is checked. */
export function tool<Input extends z.ZodObject>(
  { input, ...words }: Pick<AssistantTool, 'name' | 'description'> & { readonly input: Input },
  read: (asking: Asking, input: z.output<Input>) => Promise<unknown>,
): AssistantTool {
  return { ...words, input, read: (asking, given) => read(asking, input.parse(given)) };
}
