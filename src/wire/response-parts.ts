/** A probable mistake in a request that was accepted: a misspelt field, an unreadable address. */
export interface RequestWarning {
  /** The path of the field, or of a missing field. */
  path: string;
  message: string;
}

/** The warnings in responses to test keys. Responses to live keys never contain them. */
export interface WithWarnings {
  /** Always present with test keys, and never with live keys. Empty if there is nothing to report. */
  warnings?: RequestWarning[];
}

export interface Success {
  success: boolean;
}
