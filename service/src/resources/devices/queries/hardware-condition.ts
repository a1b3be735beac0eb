import { type RawBuilder, sql } from 'kysely';

/** Returns the condition that a device's browser was seen with this hardware. */
export function hasHardware(worldId: string, hardwareId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from variants v
    where v.world_id = devices.world_id and v.identity_id = devices.identity_id
      and v.hardware_key = ${hardwareKeyOf(worldId, hardwareId)}
  )`;
}

/** Returns the hardware key of an ID, as a subquery; null if the ID is unknown. */
export function hardwareKeyOf(worldId: string, hardwareId: string): RawBuilder<unknown> {
  return sql`(select c.hardware_key from crowds c where c.world_id = ${worldId} and c.hardware_id = ${hardwareId}::uuid limit 1)`;
}
