export interface FoundBrowsers {
  chromium?: string;
  firefox?: string;
  minibrowser?: string;
  webkitDriver?: string;
  xvfb?: string;
}

export function findBrowsers(): FoundBrowsers;
