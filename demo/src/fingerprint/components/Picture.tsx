import { useMemo } from 'react';
import { pictureOf } from 'whorl/picture';

interface PictureProps {
  readonly fingerprint: string;
  readonly compareWith?: string | undefined;
}

/** Shows the picture of a fingerprint, as wide as the available space. */
export function Picture({ fingerprint, compareWith }: PictureProps) {
  const svg = useMemo(() => pictureOf(fingerprint, { size: 360, compareWith }), [fingerprint, compareWith]);
  // Safe as HTML: pictureOf throws for anything but a fingerprint, and escapes the rest.
  return <div className="picture" dangerouslySetInnerHTML={{ __html: svg }} />;
}
