/** What a page of the dashboard tells of the step before it. */
export interface Notice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}
