import { NIL } from 'uuid';
import { lockUser } from '../../ground/db/locks.js';
import { dayMs } from '../../ground/time.js';
import { detach } from '../../resources/devices/detaching.js';
import { findDevice, type IdleDevice, listIdleDevices } from '../../resources/devices/queries/devices.js';
import { readWorlds, type World } from '../../resources/projects/worlds.js';
import { inTransaction, type Service } from '../../resources/service.js';

const batchSize = 200;

/**
 * Detaches devices that have been idle for the project's `auto_detach_days`. They keep their trust and no longer count
 * towards the limits. Each device has its own transaction, which locks its user, so any number of workers can do this
 * while devices are in use.
 */
export async function detachIdleDevices(service: Service): Promise<void> {
  for (const world of await readWorlds(service.db)) {
    const days = world.settings.auto_detach_days;
    if (days > 0) await detachIdleIn(service, world, new Date(service.now().getTime() - days * dayMs));
  }
}

async function detachIdleIn(service: Service, world: World, since: Date): Promise<void> {
  let after: string = NIL;
  for (;;) {
    const devices = await listIdleDevices(service.db, world.worldId, { since, after, limit: batchSize });
    for (const device of devices) await detachIfIdle(service, world, device, since);
    const last = devices.at(-1);
    if (!last || devices.length < batchSize) return;
    after = last.id;
  }
}

async function detachIfIdle(service: Service, world: World, { id, external_id }: IdleDevice, since: Date) {
  await inTransaction(service, world, async (work) => {
    await lockUser(work.db, world.worldId, external_id);
    const device = await findDevice(work.db, world.worldId, id, { lock: true });
    // It may have been used or detached since it was listed.
    if (!device || device.last_seen_at >= since) return;
    await detach(work, { device, user: { external_id } }, 'auto_detach');
  });
}
