export const separateExamples: readonly string[];
export function isExampleInstalled(name: string): boolean;
export function installExample(name: string): boolean;
export function copyBuild(name: string): void;
