import { Fragment } from 'react';

const parts = ['version', 'descriptor', 'hardware', 'software', 'setting', 'integrity'];

interface FingerprintProps {
  readonly value: string;
  readonly id?: string;
}

/** A fingerprint in the clear, its groups in the colours of the picture. Selected and copied, it is the plain text. */
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
