import { expect } from 'vitest';
import { customerOf } from './customer.js';
import type { DashboardShop } from './dashboard-shop.js';
import { fingerprintOf } from './fingerprints.js';
import type { SeenPage } from './visitor.js';

/** Opens a project of one test with some users, each with a device at its own address, and its actions on many rows. */
export async function openManyRows({ service, visitor }: DashboardShop, users: readonly string[]) {
  const project = await service.newProject();
  const customer = customerOf(service, project);
  const base = `/dashboard/${project.project.id}/live`;
  const people = [];
  for (const [at, user] of users.entries()) {
    const request = { action: 'signup', user, fingerprint: fingerprintOf({ seed: user }), ip: `192.0.2.${at + 1}` };
    const { user_id, device_id, evaluation_id } = await customer.evaluate(request);
    people.push({ user, id: user_id, device: device_id, evaluation: evaluation_id });
  }
  await visitor.get(`${base}/users`);
  const csrf = visitor.fields().get('csrf') ?? '';
  const send = (path: string, fields: readonly (readonly [string, string])[]) =>
    visitor.post(base + path, [['csrf', csrf], ...fields]);
  const selectionOf = (source: string, action: string, ids: readonly string[]) => [
    ['source', source] as const,
    ['action', action] as const,
    ...ids.map((id) => ['id', id] as const),
  ];
  const previewOf = (source: string, action: string, ids: readonly string[]) =>
    send('/actions', selectionOf(source, action, ids));
  return {
    project,
    customer,
    base,
    people,
    send,
    selectionOf,
    preview: previewOf,
    open: (path: string) => visitor.get(base + path),
    /** Previews and confirms an action. Returns its page. */
    async act(source: string, action: string, ids: readonly string[], more: Record<string, string> = {}) {
      const confirmed = confirmationIn(await previewOf(source, action, ids));
      const fields = [...selectionOf(source, action, ids), ['confirmed', confirmed] as const, ...Object.entries(more)];
      expect((await send('/actions', fields)).status).toBe(303);
      return `/actions/${confirmed}`;
    },
    undo: (path: string) => send(`${path}/undo`, []),
    statusOf: async (user: string) => (await customer.ask(`/v2/user/${user}/update`)).status,
    deviceOf: async (user: string) => (await customer.get(`/v2/user/${user}/devices`)).body.data[0],
  };
}

/** Returns the ID that a preview gives an action. */
export const confirmationIn = ({ html }: SeenPage) => /name="confirmed" value="([^"]+)"/.exec(html)?.[1] ?? '';
