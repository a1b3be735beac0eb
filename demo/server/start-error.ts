/** An error that prevents the demo from starting. Its message is shown to whoever starts it. */
export class StartError extends Error {}
