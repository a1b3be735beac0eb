import { parse, readIntegrity } from 'whorl/fingerprint';
import { integrityNotes } from '../notes.js';

/** Shows the integrity bits by name. */
export function Integrity({ fingerprint }: { readonly fingerprint: string }) {
  const bits = readIntegrity(parse(fingerprint)?.integrity ?? 0);
  return (
    <section className="card stack" aria-labelledby="integrity">
      <h2 id="integrity">Signs of automation and tampering</h2>
      <p className="muted">
        The last part of the fingerprint. Comparisons ignore it. It is created in the page, so a sign is evidence, but
        the absence of signs proves nothing.
      </p>
      {bits.length === 0 ? (
        <p>None found.</p>
      ) : (
        <dl className="changed">
          {bits.map((bit) => (
            <div key={bit}>
              <dt>
                <code>{bit}</code>
              </dt>
              <dd>{integrityNotes[bit]}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
