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
  /** Page zoom, 1.5 for 150%, as the user would set it. Default: 1. */
  zoom?: number;
  /**
   * Whether Chromium draws pages without WebGL, as on a machine without a graphics card. This takes half of the processor
   * time of pages for people, and a third less for a fingerprint, which is the same. Default: false.
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
  readonly can: { zoom: boolean; resizeKeptProfile: boolean; separate: boolean };
  launch(options?: LaunchOptions): Promise<BrowserSession>;
}

export interface BrowserSession {
  readonly engine: EngineName;
  /** Opens a new tab or window. */
  open(url?: string): Promise<TestPage>;
  /**
   * Opens a session in the same browser that shares no stored data with this one. It takes a fraction of the time of a
   * launch. Only with `can.separate`.
   */
  separate?(): Promise<BrowserSession>;
  /** Whether the browser has neither been closed nor crashed. Only with `can.separate`. */
  isRunning?(): boolean;
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
  /** Presses keys, as a user would. Each is a character, the name of a key, or `Control+` and one of both. */
  press(...keys: Key[]): Promise<void>;
  /** Clicks the middle of the first element that a selector finds, with the mouse. It must be in view. */
  click(selector: string): Promise<void>;
  /** Writes a PNG of the viewport. */
  screenshot(file: string): Promise<void>;
  /**
   * Console output, uncaught errors and unhandled rejections since the last goto or reload. Firefox reports a policy's
   * violation so late that it may come after the next goto.
   */
  messages(): Promise<ConsoleMessage[]>;
  /**
   * Adds an authenticator to the page, with these passkeys. It confirms each request of the page at once. Chromium only.
   */
  addAuthenticator?(passkeys?: readonly Passkey[]): Promise<Authenticator>;
  close(): Promise<void>;
}

export interface Authenticator {
  /** Returns its passkeys, with which another page's authenticator can be created, as a synchronised passkey. */
  passkeys(): Promise<Passkey[]>;
}

/** A passkey, as the DevTools protocol (WebAuthn.Credential) describes it. */
export interface Passkey {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
}

export interface ConsoleMessage {
  /** `uncaught` covers thrown errors and unhandled rejections. */
  kind: 'log' | 'info' | 'warning' | 'error' | 'debug' | 'uncaught';
  text: string;
}
