import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ownFields } from '../own-fields.js';
import { codeIn, focusIn, formStyle, hintOf, offeredBy, proveLabelOf, sendLabelOf, texts } from './code-form.js';
import { type ShowDevicesOptions, showDevices } from './device-view.js';
import { type Challenge, type PageForm, type PageOptions, type WhorlPage, whorlPage } from './page.js';

export type {
  ActionReply,
  ActionResponse,
  Answer,
  Challenge,
  ChallengeError,
  Fields,
  PageOptions,
  Target,
  WhorlPage,
} from './page.js';

const Context = createContext<WhorlPage | undefined>(undefined);

/** Props of `WhorlProvider`. The options are read once, when it is mounted. */
export interface WhorlProviderProps extends PageOptions {
  readonly children?: ReactNode;
  /** Whether to read the browser when the page is idle, so that the first `submit` is fast. Default true. */
  readonly prepare?: boolean | undefined;
}

/** Provides what the hooks need. Place it once, around the application. */
export function WhorlProvider(props: WhorlProviderProps): ReactElement {
  const { children, prepare = true, ...options } = ownFields(props);
  const [page] = useState(() => whorlPage(options));
  useEffect(() => {
    if (prepare) void page.prepare();
  }, [page, prepare]);
  return <Context.Provider value={page}>{children}</Context.Provider>;
}

/** What `useWhorl` returns. */
export interface UseWhorl extends Pick<PageForm, 'submit'> {
  /** Whether a submission runs, which includes its challenge. */
  readonly isPending: boolean;
  /** For requests of another kind, such as a server action. */
  readonly page: WhorlPage;
}

/**
 * Returns `submit` for one form or button. Keep the component mounted during the challenge: when it is unmounted, the
 * submission is aborted.
 */
export function useWhorl(): UseWhorl {
  const page = usePage();
  const [isPending, setPending] = useState(false);
  const form = useMemo(() => page.form(setPending), [page]);
  const mounted = useRef<PageForm>(undefined);
  useEffect(() => {
    mounted.current = form;
    return () => {
      mounted.current = undefined;
      // Strict mode runs effects twice, which unmounts nothing. A form may have been submitted before.
      queueMicrotask(() => mounted.current === form || form.abort());
    };
  }, [form]);
  return { submit: form.submit, isPending, page };
}

/** Returns the challenge that waits for a code, or undefined. */
export function useChallenge(): Challenge | undefined {
  const page = usePage();
  return useSyncExternalStore(
    page.subscribe,
    () => page.challenge,
    () => undefined,
  );
}

function usePage(): WhorlPage {
  const page = useContext(Context);
  if (!page) throw new Error('There is no WhorlProvider around this component.');
  return page;
}

/** Props of `DeviceList`. They are read once, when it is mounted. */
export type DeviceListProps = ShowDevicesOptions;

/**
 * Renders the devices of the user who is logged in, with what the user can do about them (docs/devices-page.md). On a
 * server it is empty. `deviceList` of `whorl/devices` is for a list of the application's own.
 */
export function DeviceList(options: DeviceListProps): ReactElement {
  const page = usePage();
  const target = useRef<HTMLDivElement>(null);
  const [given] = useState(options);
  useEffect(() => (target.current ? showDevices(target.current, page, given) : undefined), [page, given]);
  return <div ref={target} />;
}

/** Props of `ChallengeForm`. */
export interface ChallengeFormProps {
  /** Renders a form of the application's own. Default: a plain form in English. */
  readonly children?: (challenge: Challenge) => ReactNode;
  /** The class of the plain form. Default `whorl-challenge`. */
  readonly className?: string | undefined;
}

/** Renders a form if a challenge waits for a code, and otherwise nothing. Place it once. */
export function ChallengeForm({ children, className }: ChallengeFormProps): ReactElement | null {
  const challenge = useChallenge();
  if (!challenge) return null;
  if (children) return <>{children(challenge)}</>;
  return <CodeForm key={challenge.id} challenge={challenge} className={className} />;
}

interface CodeFormProps {
  readonly challenge: Challenge;
  readonly className?: string | undefined;
}

function CodeForm({ challenge, className = 'whorl-challenge' }: CodeFormProps): ReactElement {
  const { sentTo, isPending, error, method, send, verify, prove, close } = challenge;
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isPending) focusIn(form.current);
    // An incomplete code is an error without a request.
  }, [isPending, error]);
  return (
    <form
      ref={form}
      className={className}
      style={formStyle}
      aria-label={texts.title}
      aria-busy={isPending}
      onSubmit={(event) => {
        event.preventDefault();
        void verify(codeIn(event.currentTarget));
      }}
    >
      <div id={`${id}hint`} role="status">
        {hintOf(challenge)}
      </div>
      {sentTo !== undefined && (
        <>
          <label htmlFor={id}>{texts.code}</label>
          <input
            id={id}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            aria-invalid={error?.code === 'wrong_code'}
            aria-describedby={`${id}hint`}
          />
        </>
      )}
      {error && <div role="alert">{error.detail}</div>}
      {sentTo !== undefined && <button type="submit">{texts.submit}</button>}
      {method !== undefined && (
        <button type="button" disabled={isPending} onClick={() => void prove()}>
          {proveLabelOf(method)}
        </button>
      )}
      {offeredBy(challenge).map((channel) => (
        <button key={channel} type="button" onClick={() => void send(channel)}>
          {sendLabelOf(challenge, channel)}
        </button>
      ))}
      <button type="button" onClick={close}>
        {texts.cancel}
      </button>
    </form>
  );
}
