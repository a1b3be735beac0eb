export const serverAdapters: readonly string[];
export const pageAdapters: readonly string[];
