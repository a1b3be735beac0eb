/** Error of an update. The message never contains an address or a header, because both may contain secrets. */
export class UpdateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UpdateError';
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EACCES: 'the folder is not writable for this user',
  EPERM: 'the folder is not writable for this user',
  EROFS: 'the folder is on a read-only file system',
  ENOTFOUND: 'the name of the server was not found',
  EAI_AGAIN: 'the name of the server could not be looked up',
  ECONNREFUSED: 'the server refuses connections',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke',
  ETIMEDOUT: 'the server did not answer',
  Z_DATA_ERROR: 'the download is damaged',
  Z_BUF_ERROR: 'the download is incomplete',
};

/** Returns why an update failed, as part of a sentence. */
export function updateFailure(error: unknown): string {
  if (error instanceof UpdateError) return error.message;
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) return error.name;
  if (/CERT|SIGNED|SIGNATURE|SSL|TLS/.test(code)) return `the certificate of the server is not valid (${code})`;
  return reasons[code] ?? code;
}
