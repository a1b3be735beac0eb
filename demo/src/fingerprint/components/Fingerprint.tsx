import { Fragment } from 'react';

const parts = ['version', 'descriptor', 'hardware', 'software', 'setting', 'integrity'];

interface FingerprintProps {
  readonly value: string;
  readonly id?: string;
}

/** Shows a fingerprint as text, its groups in the colours of the picture. Copying it gives the plain text. */
export function Fingerprint({ value, id }: FingerprintProps) {
  return (
    <code className="fingerprint" id={id}>
      {value.split('.').map((text, index) => (
        <Fragment key={parts[index]}>
          {index > 0 && '.'}
          <span className={parts[index]}>{text}</span>
        </Fragment>
      ))}
    </code>
  );
}
