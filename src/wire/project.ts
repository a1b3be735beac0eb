import type { ListEffect, ListKind } from './vocabulary.js';

/** A project as a file: everything that is not data (docs/settings-as-code.md). */
export interface ProjectFile {
  /** The URL of the file's JSON schema, for editors. The service ignores it. */
  $schema?: string;
  /** Settings that differ from their defaults, by name (docs/settings.md). Absent: all settings stay as they are. */
  settings?: Record<string, unknown>;
  /** All entries of the project's lists. Absent: they stay as they are. */
  lists?: ProjectFileListEntry[];
  webhooks?: {
    /** All endpoints of the live world. Absent: they stay as they are. */
    live?: ProjectFileEndpoint[];
    /** All endpoints of the test world. Absent: they stay as they are. */
    test?: ProjectFileEndpoint[];
  };
}

/** Entry of a list in a project file (docs/lists.md). */
export interface ProjectFileListEntry {
  kind: ListKind;
  value: string;
  effect: ListEffect;
  note?: string;
  /** An entry that has expired counts as missing. */
  expires_at?: string;
}

export interface ProjectFileEndpoint {
  /** In what the service returns, without the query, which may contain a secret of the receiver. */
  url: string;
}

/** What a file changes in a project. */
export interface ProjectChange {
  change: 'added' | 'removed' | 'changed';
  /** Such as `settings.device_limit.overall`. */
  path: string;
  /** Absent if the value was added. */
  from?: unknown;
  /** Absent if the value was removed. */
  to?: unknown;
}

/** PUT /v2/project (docs/settings-as-code.md). */
export interface ReplaceProjectQuery {
  /** Only returns what would change. Default false. */
  dry_run?: boolean;
}

export interface ReplaceProjectResponse {
  /** Empty if the project was as the file says. */
  changes: ProjectChange[];
  /** The project after the changes. */
  project: ProjectFile;
}
