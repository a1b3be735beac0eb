import { z } from '@hono/zod-openapi';
import type { ProjectChange, ProjectFile, ReplaceProjectQuery, ReplaceProjectResponse } from 'whorl/wire';
import { projectFileSchema } from '../../effects/project-file/rules/schema.js';
import { flag } from '../../http/schemas/query.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';

const fileExample: ProjectFile = {
  $schema: '{base_url}/schemas/project.json',
  settings: {
    device_limit: { overall: 3 },
    allowed_origins: ['https://shop.example'],
    policy: { signup: { disposable_email: 'deny' } },
  },
  lists: [{ kind: 'address', value: '203.0.113.0/24', effect: 'block' }],
  webhooks: { live: [{ url: 'https://shop.example/webhooks' }], test: [] },
};

// Created here, because a schema can only be named if `@hono/zod-openapi` was loaded before it was created.
const namedLater = z.strictObject(projectFileSchema.shape);

export const projectFile = wireSchema<ProjectFile>()('ProjectFile', namedLater, fileExample);

export const replaceProjectQuery = wireSchema<Required<ReplaceProjectQuery>>()(
  'ReplaceProjectQuery',
  z.object({ dry_run: flag().openapi({ description: 'Only return what would change.' }) }),
  { dry_run: false },
);

const change = wireSchema<ProjectChange>()(
  'ProjectChange',
  z.object({
    change: z.enum(['added', 'removed', 'changed']),
    path: z.string(),
    from: z.unknown().optional(),
    to: z.unknown().optional(),
  }),
  { change: 'changed', path: 'settings.device_limit.overall', from: 5, to: 3 },
);

export const replaceProjectResponse = wireSchema<ReplaceProjectResponse>()(
  'ReplaceProjectResponse',
  z.object({
    changes: z.array(change).openapi({ description: 'Empty if the project was as the file says.' }),
    project: projectFile,
  }),
  {
    changes: [{ change: 'changed', path: 'settings.device_limit.overall', from: 5, to: 3 }],
    project: fileExample,
  },
);
