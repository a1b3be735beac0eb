import type { DeviceKind, Place } from '../wire/index.js';
import type { ActionResponse } from './action-response.js';
import type { WhorlPage } from './page.js';

/** A device that can use the account. */
export interface ListedDevice {
  readonly id: string;
  /** The user's own name for it. */
  readonly name: string | undefined;
  readonly kind: DeviceKind;
  /** `unknown` if it is not known, as is `browser`. */
  readonly os: string;
  readonly browser: string;
  readonly place: Readonly<Place>;
  readonly lastSeenAt: Date;
  /** Whether it is this browser. */
  readonly isThis: boolean;
  /** Whether it can be disowned from this browser: only if it was added later. */
  readonly canDisown: boolean;
}

/** Why the devices could not be loaded or changed. */
export interface DevicesError {
  /** `not_logged_in`, `not_found`, `network`, or another code of docs/adapters.md. */
  readonly code: string | undefined;
  /** A sentence for the visitor, in English. */
  readonly detail: string;
}

/** The devices of the user who is logged in. */
export interface DeviceListState {
  /** This one first, then the last used one. Undefined until they are loaded. */
  readonly devices: readonly ListedDevice[] | undefined;
  /** Whether a request runs. Then the methods do nothing, and resolve to false. */
  readonly isPending: boolean;
  /** Why the last request failed. */
  readonly error: DevicesError | undefined;
}

/** Loads and changes the devices. Methods resolve to whether that worked, and never reject. */
export interface DeviceList {
  readonly state: DeviceListState;
  /** Calls a function with the state, now and whenever it changes. Returns a function that ends this. */
  subscribe(listener: (state: DeviceListState) => void): () => void;
  load(): Promise<boolean>;
  /** Gives a device a name, at most 64 characters. An empty one removes it. */
  rename(id: string, name: string): Promise<boolean>;
  /** Signs a device out. It needs a code to return. */
  signOut(id: string): Promise<boolean>;
  /** Says that a device is not the user's: it is signed out and blocked, and the account is protected. */
  disown(id: string): Promise<boolean>;
}

/** Creates the list of the devices of the user who is logged in. Requests nothing before `load`. */
export function deviceList(page: Pick<WhorlPage, 'call' | 'collect'>): DeviceList {
  const listeners = new Set<(state: DeviceListState) => void>();
  let state: DeviceListState = { devices: undefined, isPending: false, error: undefined };
  const change = (changes: Partial<DeviceListState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener(state);
  };
  const run = async (
    ask: () => Promise<ActionResponse>,
    devicesAfter: (response: ActionResponse) => readonly ListedDevice[] | undefined,
  ): Promise<boolean> => {
    if (state.isPending) return false;
    change({ isPending: true, error: undefined });
    const response = await ask();
    const { ok, code, detail } = response;
    const devices = ok ? devicesAfter(response) : state.devices;
    change({ isPending: false, devices, error: ok ? undefined : { code, detail } });
    return ok;
  };
  const without = (id: string) => state.devices?.filter((device) => device.id !== id);
  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
    load: () => run(async () => page.call('devices', await page.collect()), readDevices),
    rename: (id, name) =>
      run(
        () => page.call('rename', { device: id, name }),
        () =>
          state.devices?.map((device) => (device.id === id ? { ...device, name: name.trim() || undefined } : device)),
      ),
    signOut: (id) =>
      run(
        () => page.call('detach', { device: id }),
        () => without(id),
      ),
    disown: (id) =>
      run(
        async () => page.call('disown', { ...(await page.collect()), device: id }),
        () => without(id),
      ),
  };
}

/** Reads what the application's server sent. */
function readDevices({ body }: ActionResponse): ListedDevice[] {
  return Array.isArray(body.devices) ? body.devices.map(readDevice) : [];
}

function readDevice(given: unknown): ListedDevice {
  const { id, name, kind, os, browser, place, last_seen_at, is_this, can_disown } = Object(given);
  return {
    id: String(id),
    name: name === undefined ? undefined : String(name),
    kind,
    os: String(os),
    browser: String(browser),
    place: Object(place),
    lastSeenAt: new Date(last_seen_at),
    isThis: is_this === true,
    canDisown: can_disown === true,
  };
}
