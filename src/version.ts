/**
 * The version of this package, which the service records with each evaluation. A test compares it with package.json.
 */
export const version = '0.1.0';
