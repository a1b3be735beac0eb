/** What keeps the service from starting, or a command from running, in one sentence for the person who runs it. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}
