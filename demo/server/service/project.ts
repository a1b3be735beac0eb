/** The name of the project that the demo makes for itself. */
export const PROJECT = 'demo';
