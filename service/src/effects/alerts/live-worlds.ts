import { readWorlds, type World } from '../../resources/projects/worlds.js';
import type { Service } from '../../resources/service.js';

/** Runs an operation for the live world of each project. One that fails is logged, and does not keep the others from it. */
export async function forEachLiveWorld(
  service: Service,
  failure: string,
  act: (world: World) => Promise<void>,
): Promise<void> {
  for (const world of await readWorlds(service.db)) {
    if (world.mode !== 'live') continue;
    try {
      await act(world);
    } catch (error) {
      service.log.error({ error, projectId: world.project.id }, failure);
    }
  }
}
