/**
 * Error that prevents the service from starting or a command from running. The message is a sentence for the operator.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}
