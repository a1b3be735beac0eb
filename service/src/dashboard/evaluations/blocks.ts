import type { EvaluationRecord } from 'whorl/wire';
import { listHardwareDevices } from '../../resources/devices/hardware.js';
import { addEntries } from '../../resources/lists/change-entries.js';
import type { Service } from '../../resources/service.js';
import { type Actor, actOnDevice } from '../admin-actions.js';

/** Maximum number of devices with the same hardware that are blocked at once. */
export const maxHardwareDevices = 100;

/** Address of an evaluation, as it is blocked: an IPv4 address or an IPv6 /64. */
export function addressToBlock({ ip }: Pick<EvaluationRecord, 'ip'>, network: string | undefined): string | undefined {
  return ip === undefined || !ip.includes(':') ? ip : (network ?? ip);
}

/** Adds an address to the project's lists as blocked. Returns false if it is there already. */
export async function blockAddress(service: Service, { caller, origin }: Actor, address: string): Promise<boolean> {
  const entries = [{ kind: 'address', value: address, effect: 'block' }] as const;
  const { added } = await addEntries(service, { projectId: caller.project.id, entries, origin });
  return added > 0;
}

/** Blocks the devices with the same hardware, of all users. Returns the number of devices that were not blocked yet. */
export async function blockHardware(service: Service, actor: Actor, hardwareId: string): Promise<number> {
  const query = { hardware_id: hardwareId, page: 1, limit: maxHardwareDevices };
  const { data } = await listHardwareDevices(service, actor.caller, query);
  let count = 0;
  for (const { _id } of data) {
    const { isChanged } = await actOnDevice(service, actor, _id, 'block');
    if (isChanged) count += 1;
  }
  return count;
}
