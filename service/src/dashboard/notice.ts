/** A message about the previous step, shown on the next page. */
export interface Notice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}
