/** Explains the rings of the picture, from the inside out. */
export function Legend() {
  return (
    <ul className="legend" aria-label="Rings of the picture, from the inside out">
      <li className="hardware">hardware</li>
      <li className="software">software</li>
      <li className="setting">setting</li>
    </ul>
  );
}
