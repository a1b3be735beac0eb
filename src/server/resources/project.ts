import type { ProjectFile, ReplaceProjectQuery, ReplaceProjectResponse } from '../../wire/index.js';
import { isObject, listOf, withFields } from '../checks.js';
import { type CallOptions, checkVersion } from '../options.js';
import type { Transport } from '../transport.js';

/** A project as a file, with its version. */
export interface RetrievedProject {
  project: ProjectFile;
  /** Pass it to `replace`. */
  version: string;
}

export interface ReplacedProject extends ReplaceProjectResponse {
  /** The version after the changes. */
  version: string;
}

export interface ReplaceProjectOptions extends ReplaceProjectQuery {
  /** The `version` of what you read. Rejects with `precondition_failed` if the project has changed since. */
  version: string;
}

const isFile = withFields<ProjectFile>({ settings: isObject, webhooks: isObject });
const isReplaced = withFields<ReplaceProjectResponse>({ changes: listOf(isObject), project: isFile });

/** The project's settings and webhook endpoints (docs/settings-as-code.md), with a key that has the scope `manage`. */
export class Project {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Returns the project as a file, without secrets (GET /v2/project). */
  async retrieve(options?: CallOptions): Promise<RetrievedProject> {
    let version = '';
    const onVersion = (received: string) => {
      version = received;
    };
    const call = { method: 'GET', path: '/v2/project', isResult: isFile, onVersion } as const;
    const project = await this.transport.call(call, options);
    return { project, version };
  }

  /**
   * Changes the project to what the file says, and returns the changes (PUT /v2/project). Nothing is changed if anything
   * is invalid. After a network error, a retry may reject with `precondition_failed` because the first attempt took
   * effect: retrieve the project and compare.
   */
  async replace(
    file: ProjectFile,
    { version, ...query }: ReplaceProjectOptions,
    options?: CallOptions,
  ): Promise<ReplacedProject> {
    let next = '';
    const onVersion = (received: string) => {
      next = received;
    };
    const replaced = await this.transport.call(
      {
        method: 'PUT',
        path: '/v2/project',
        query: { ...query },
        body: file,
        version: checkVersion(version),
        isResult: isReplaced,
        onVersion,
      },
      options,
    );
    return { ...replaced, version: next };
  }
}
