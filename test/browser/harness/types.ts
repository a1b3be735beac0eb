export type EngineName = 'chromium' | 'firefox' | 'webkit';

export interface Size {
  width: number;
  height: number;
}

/** In CSS pixels, from the upper left corner of the screen. */
export interface Position {
  x: number;
  y: number;
}

// The second part keeps the names in an editor's suggestions.
export type Key = 'Tab' | 'Enter' | (string & {});

/** Real settings of a browser or its system, never values overridden in the page, which careful readings detect. */
export interface LaunchOptions {
  /** Folder of a profile to use and keep. Default: a new one, removed at close. */
  profile?: string;
  /** Default: false. */
  privateMode?: boolean;
  /** A window on the X screen. Default: false. WebKit always has one. */
  headful?: boolean;
  /** The system's display scale. Default: 1. WebKit takes whole numbers. */
  scaleFactor?: number;
  /** Page zoom, 1.5 for 150 %, as the user would set it. Default: 1. */
  zoom?: number;
  /**
   * Whether Chromium draws pages without WebGL, as on a machine without a graphics card. This takes half of the processor
   * time of pages for people. Fingerprints are the same, but Chromium warns of WebGL that is read. Default: false.
   */
  drawnInSoftware?: boolean;
  /** What the system prefers. Default: light. */
  colorScheme?: 'light' | 'dark';
  /** The screen's size in physical pixels. Default: 1920 × 1080. */
  screen?: Size;
  /** Firefox: about:config names. Chromium: the profile's Preferences, nested keys joined by dots. */
  preferences?: Record<string, string | number | boolean>;
  /** Further command line arguments. Default: none. */
  args?: string[];
  /** Added to the environment, e.g. TZ, LANG, FONTCONFIG_FILE. Default: none. */
  environment?: Record<string, string>;
}

export interface Engine {
  readonly name: EngineName;
  /** Whether all of its requirements are installed. */
  available(): boolean;
  /** Supported options. Unsupported ones throw an error. */
  readonly can: { zoom: boolean; resizeKeptProfile: boolean };
  launch(options?: LaunchOptions): Promise<BrowserSession>;
}

export interface BrowserSession {
  readonly engine: EngineName;
  /** Opens a new tab or window. */
  open(url?: string): Promise<TestPage>;
  /**
   * Opens a session in the same browser that shares no stored data with this one. It takes a fraction of the time of a
   * launch. WebKit's cannot do this.
   */
  separate?(): Promise<BrowserSession>;
  /** Ends the browser with all its processes, and deletes its profile if it was temporary. */
  close(): Promise<void>;
}

export interface TestPage {
  /** Resolves when the page's load event has fired. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /**
   * Runs an expression, or a function that sees only its arguments, in the page's own realm, under any CSP.
   * Awaits promises. Arguments and result are JSON values. What the page throws rejects with an error of that name
   * and message.
   */
  evaluate<Result, Args extends unknown[] = unknown[]>(
    script: string | ((...args: Args) => Result | Promise<Result>),
    ...args: Args
  ): Promise<Result>;
  /** Resizes the real window until the page's inner size is this one. */
  resize(width: number, height: number): Promise<void>;
  /** Moves the real window. */
  moveTo(x: number, y: number): Promise<void>;
  /** Presses keys, as a user would. Each is a character, or the name of a key. */
  press(...keys: Key[]): Promise<void>;
  /**
   * Adds an authenticator for passkeys that confirms every request, as a built-in one does after a finger. Chromium only.
   */
  addAuthenticator?(): Promise<void>;
  /** Writes a PNG of the viewport. */
  screenshot(file: string): Promise<void>;
  /**
   * Console output, uncaught errors and unhandled rejections since the last goto or reload. Firefox reports a policy's
   * violation so late that it may come after the next goto.
   */
  messages(): Promise<ConsoleMessage[]>;
  close(): Promise<void>;
}

export interface ConsoleMessage {
  /** `uncaught` covers thrown errors and unhandled rejections. */
  kind: 'log' | 'info' | 'warning' | 'error' | 'debug' | 'uncaught';
  text: string;
}
