/** What the script tag says for options that a call leaves open. Empty for who imports the package. */
export interface Settings {
  clientId?: string;
  baseUrl?: string;
  scope?: string;
  workerUrl?: string;
}

export const settings: Settings = {};
