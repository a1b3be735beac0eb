/** An error that prevents the demo from starting. Its message is printed without a stack. */
export class StartError extends Error {}
