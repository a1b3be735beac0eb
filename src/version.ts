/** The version of this package, as the service records it with an evaluation. A test holds it to package.json. */
export const version = '0.1.0';
