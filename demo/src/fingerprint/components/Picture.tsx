import { useMemo } from 'react';
import { pictureOf } from 'whorl/picture';

interface PictureProps {
  readonly fingerprint: string;
  readonly compareWith?: string | undefined;
}

/** The picture of a fingerprint, as wide as there is room. */
export function Picture({ fingerprint, compareWith }: PictureProps) {
  const svg = useMemo(() => pictureOf(fingerprint, { size: 360, compareWith }), [fingerprint, compareWith]);
  // Safe as HTML: pictureOf throws for what is no fingerprint, and escapes the rest.
  return <div className="picture" dangerouslySetInnerHTML={{ __html: svg }} />;
}
