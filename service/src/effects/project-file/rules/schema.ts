import { z } from 'zod';
import { listEffects, listKinds } from '../../../ground/vocabulary.js';
import { maxNoteLength } from '../../../resources/lists/rules/new-entries.js';
import { settingsSchema } from '../../../resources/projects/rules/settings.js';
import { maxEndpoints } from '../../webhooks/rules/endpoint-urls.js';

const about = {
  settings:
    'Settings that differ from their defaults, by name. A setting that you leave out gets its default. Without `settings`, all settings stay as they are.',
  lists:
    'All entries of the lists. One that you leave out ends, and one that has expired counts as left out. Without `lists`, all entries stay as they are.',
  endpoints:
    'All endpoints that receive the events of this mode. One that you leave out is removed. Without the list, all stay as they are.',
};

const endpoint = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      'Address of the receiver. In an export, it has no query, which may contain a secret of the receiver: an address without a query also stands for an existing endpoint with one.',
    ),
});

const endpoints = () => z.array(endpoint).max(maxEndpoints).optional().describe(about.endpoints);

const listEntry = z.strictObject({
  kind: z.enum(listKinds),
  value: z.string().min(1).max(300),
  effect: z.enum(listEffects).describe('`block` denies, `allow` enforces only blocks, `review` only reports.'),
  note: z.string().max(maxNoteLength).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

/** Maximum number of entries in a file. */
const maxListEntries = 200_000;

/**
 * A project as a file: everything that is not data. A part that is left out stays as it is, so that a file of an older
 * version changes no part that it does not know. Each part is complete.
 *
 * A new part needs its field here and in `ProjectFile` of `whorl/wire`, its state in `ProjectState` and `fileOf`, a rule that
 * plans its changes, and `planChanges` and `store` of apply.ts.
 */
export const projectFileSchema = z.strictObject({
  $schema: z.string().max(2048).optional().describe('URL of this schema, for editors. The service ignores it.'),
  settings: z.record(z.string(), z.unknown()).optional().describe(about.settings),
  lists: z.array(listEntry).max(maxListEntries).optional().describe(about.lists),
  webhooks: z
    .strictObject({ live: endpoints(), test: endpoints() })
    .optional()
    .describe('Webhook endpoints of each mode. Their secrets are not part of the file.'),
});

/** Returns the JSON schema of the file, with all settings. */
export function projectFileJsonSchema(): object {
  const complete = projectFileSchema.extend({ settings: settingsSchema.optional().describe(about.settings) });
  const schema = z.toJSONSchema(complete, {
    io: 'input',
    // Editors support this version best.
    target: 'draft-7',
    override({ jsonSchema }) {
      // The service refuses unknown fields, to which `settingsSchema` pays no attention.
      if (jsonSchema.properties) jsonSchema.additionalProperties = false;
    },
  });
  return { title: 'Whorl project', ...schema };
}
