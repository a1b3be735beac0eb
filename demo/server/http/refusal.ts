import type { Reason } from 'whorl/wire';

interface Details {
  readonly reasons?: readonly Reason[];
  readonly waitSeconds?: number;
}

/** Why a request is not done, for the visitor. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }
}
