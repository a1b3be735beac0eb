/** What keeps the demo from starting, in a sentence for whoever starts it. */
export class StartError extends Error {}
