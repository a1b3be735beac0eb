export const promtoolFolder: string;
export function findPromtool(): string | undefined;
