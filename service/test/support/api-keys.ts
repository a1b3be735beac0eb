import { createKey } from '../../src/testing.js';
import type { TestProject, TestService } from './service.js';

/** Creates a live secret key that has one scope. */
export function keyWithScope({ service }: TestService, { project }: TestProject, scope: 'read' | 'manage') {
  return createKey(service, { project: project.id, mode: 'live', kind: 'secret', scopes: [scope], changedBy: 'test' });
}
