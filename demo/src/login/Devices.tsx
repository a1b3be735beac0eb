import { useCallback, useEffect, useState } from 'react';
import type { ListedDevice } from '../../server/api.js';
import { agoOf } from '../fingerprint/words.js';
import { changeDevice, readDevices } from './api.js';
import type { LogInControl } from './use-log-in.js';

type Change = 'sign-out' | 'block' | 'unblock';

/** Shows the devices of the account, each with a button to sign it out. */
export function Devices({ control: { run, doing } }: { readonly control: LogInControl }) {
  const [devices, setDevices] = useState<readonly ListedDevice[]>();
  const [note, setNote] = useState('');
  useEffect(() => {
    readDevices().then(setDevices, () => setNote('The devices could not be loaded. Reload the page.'));
  }, []);
  const change = useCallback(
    (kind: Change, device: ListedDevice) =>
      run(async () => {
        const { devices: left, logIn } = await changeDevice(kind, device.id);
        if (left) setDevices(left);
        setNote(`${device.label}: ${doneWords[kind]}`);
        return logIn;
      }),
    [run],
  );
  return (
    <section className="card stack" aria-labelledby="devices">
      <h2 id="devices">My devices</h2>
      <p role="status" className="muted">
        {note || (devices ? '' : 'Loading…')}
      </p>
      <ul className="devices">
        {devices?.map((device) => (
          <DeviceItem key={device.id} device={device} onChange={(kind) => doing || change(kind, device)} />
        ))}
      </ul>
    </section>
  );
}

const doneWords: Readonly<Record<Change, string>> = {
  'sign-out': 'signed out and is no longer trusted.',
  block: 'blocked. All its requests are denied.',
  unblock: 'no longer blocked.',
};

const statusWords: Readonly<Record<ListedDevice['status'], string>> = {
  attached: '',
  pending: 'waiting for a code',
  blocked: 'blocked',
  detached: 'signed out',
};

interface DeviceItemProps {
  readonly device: ListedDevice;
  readonly onChange: (kind: Change) => void;
}

function DeviceItem({ device, onChange }: DeviceItemProps) {
  const { label, kind, status, trusted, proven, lastSeenAt, lastIp, isThis } = device;
  const days = Math.max(0, Date.now() - Date.parse(lastSeenAt)) / 86_400_000;
  const signOut = isThis ? 'Sign out and forget' : 'Sign out';
  const traits = [isThis && 'this device', trusted && 'trusted', proven && 'holds a key', statusWords[status]].filter(
    Boolean,
  );
  return (
    <li>
      <div>
        <strong>{label}</strong>
        {traits.map((trait) => (
          <span key={String(trait)} className="trait">
            {trait}
          </span>
        ))}
        <small>
          {kind}, last seen {agoOf(days)}
          {lastIp && ` at ${lastIp}`}
        </small>
      </div>
      <div className="buttons">
        <button type="button" onClick={() => onChange('sign-out')} aria-label={`${signOut} ${label}`}>
          {signOut}
        </button>
        {!isThis && <BlockButton device={device} onChange={onChange} />}
      </div>
    </li>
  );
}

function BlockButton({ device: { label, status }, onChange }: DeviceItemProps) {
  if (status === 'pending') return null;
  const isBlocked = status === 'blocked';
  return (
    <button
      type="button"
      onClick={() => onChange(isBlocked ? 'unblock' : 'block')}
      aria-label={`${isBlocked ? 'Unblock' : 'Block'} ${label}`}
    >
      {isBlocked ? 'Unblock' : 'Block'}
    </button>
  );
}
