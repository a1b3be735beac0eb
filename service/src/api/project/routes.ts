import type { ProjectFile } from 'whorl/wire';
import { applyProjectFile, InvalidProjectFile, ProjectHasChanged } from '../../effects/project-file/apply.js';
import { exportProject } from '../../effects/project-file/read-project.js';
import { ApiError } from '../../ground/errors.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { etagOf, readIfMatch } from '../../http/preconditions.js';
import { originOfKey } from '../../resources/audit/audit.js';
import { projectFile, replaceProjectQuery, replaceProjectResponse } from './schemas.js';

/** Endpoints for settings as code, in the order of the documentation. */
export const projectEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'get',
      path: '/v2/project',
      operationId: 'retrieveProject',
      tag: 'Project',
      summary: "Retrieve the project's settings, lists and webhook endpoints",
      description:
        'Returns everything of the project that is not data, as `whorl-service project export` prints it: settings that ' +
        'differ from their defaults, entries of lists, and webhook endpoints. It contains no secrets.',
      scope: 'manage',
      versioned: true,
      response: projectFile,
    },
    async ({ service, caller, responseHeaders }) => {
      const { file, version } = await exportProject(service, { project: caller.project.id });
      responseHeaders.set('ETag', etagOf(version));
      return plain(file);
    },
  ),
  endpoint(
    {
      method: 'put',
      path: '/v2/project',
      operationId: 'replaceProject',
      tag: 'Project',
      summary: "Replace the project's settings, lists and webhook endpoints",
      description:
        'Changes the project to what the body says, as `whorl-service project apply` does, and returns the changes. A ' +
        'part that you leave out stays as it is; a part that is there replaces the whole part. Unknown fields are ' +
        'refused. If anything is invalid, nothing is changed. The maximum body size is 1 MiB.',
      scope: 'manage',
      versioned: true,
      query: replaceProjectQuery,
      bodyInDocs: projectFile,
      response: replaceProjectResponse,
      bulk: { bodyLimitBytes: 1024 * 1024, timeoutMs: 10_000, concurrency: 2, name: 'project' },
    },
    async ({ service, caller, address, query, body, headers, responseHeaders }) => {
      const isBasedOn = readIfMatch(headers.get('if-match') ?? undefined);
      const { by, network } = originOfKey(caller, address);
      const { changes, after, version } = await applyProjectFile(service, {
        project: caller.project.id,
        file: body,
        changedBy: by,
        network,
        isDryRun: query.dry_run,
        isBasedOn,
      }).catch(refuse);
      responseHeaders.set('ETag', etagOf(version));
      return { changes: changes.map((change) => ({ ...change })), project: plain(after.file) };
    },
  ),
];

function refuse(error: unknown): never {
  if (error instanceof InvalidProjectFile) throw new ApiError('invalid_request', { errors: [...error.issues] });
  if (error instanceof ProjectHasChanged) {
    throw new ApiError('precondition_failed', { detail: 'The project was changed since you read it.', cause: error });
  }
  throw error;
}

function plain({ $schema = '', settings = {}, lists = [], webhooks = {} }: ProjectFile) {
  return { $schema, settings, lists, webhooks };
}
