import {
  defineComponent,
  h,
  type InjectionKey,
  inject,
  onBeforeUnmount,
  onMounted,
  type Plugin,
  type PropType,
  type Ref,
  ref,
  type ShallowRef,
  type SlotsType,
  shallowRef,
  watch,
} from 'vue';
import { ownFields } from '../own-fields.js';
import { codeIn, focusIn, formStyle, hintOf, offeredBy, proveLabelOf, sendLabelOf, texts } from './code-form.js';
import { showDevices } from './device-view.js';
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

const key: InjectionKey<WhorlPage> = Symbol('whorl');

/** Options of `whorlVue`. */
export interface WhorlVueOptions extends PageOptions {
  /** Whether to read the browser when the page is idle, so that the first `submit` is fast. Default true. */
  readonly prepare?: boolean | undefined;
}

/** Creates the plugin that provides what the composables need: `app.use(whorlVue())`. */
export function whorlVue(given: WhorlVueOptions = {}): Plugin {
  const { prepare = true, ...options } = ownFields(given);
  return {
    install(app) {
      const page = whorlPage(options);
      if (prepare) void page.prepare();
      app.provide(key, page);
    },
  };
}

/** What `useWhorl` returns. */
export interface UseWhorl extends Pick<PageForm, 'submit'> {
  /** Whether a submission runs, which includes its challenge. */
  readonly isPending: Readonly<Ref<boolean>>;
  /** For requests of another kind. */
  readonly page: WhorlPage;
}

/**
 * Returns `submit` for one form or button. Keep the component mounted during the challenge: when it is unmounted, the
 * submission is aborted.
 */
export function useWhorl(): UseWhorl {
  const page = usePage();
  const isPending = ref(false);
  const form = page.form((value) => {
    isPending.value = value;
  });
  onBeforeUnmount(form.abort);
  return { submit: form.submit, isPending, page };
}

/** Returns the challenge that waits for a code, or undefined. */
export function useChallenge(): Readonly<ShallowRef<Challenge | undefined>> {
  const page = usePage();
  const challenge = shallowRef<Challenge>();
  let unsubscribe: (() => void) | undefined;
  // Not on a server, where nothing is unmounted.
  onMounted(() => {
    unsubscribe = page.subscribe((changed) => {
      challenge.value = changed;
    });
  });
  onBeforeUnmount(() => unsubscribe?.());
  return challenge;
}

function usePage(): WhorlPage {
  const page = inject(key, undefined);
  if (!page) throw new Error('The application does not use whorlVue().');
  return page;
}

/**
 * Renders the devices of the user who is logged in, with what the user can do about them (docs/devices-page.md). On a
 * server it is empty. Its props are read once. `deviceList` of `whorl/devices` is for a list of the application's own.
 */
export const DeviceList = /* @__PURE__ */ defineComponent({
  props: { language: String, className: String },
  setup(props) {
    const page = usePage();
    const target = ref<HTMLElement>();
    let remove: (() => void) | undefined;
    onMounted(() => {
      if (target.value) remove = showDevices(target.value, page, { ...props });
    });
    onBeforeUnmount(() => remove?.());
    return () => h('div', { ref: target });
  },
});

/** The plain form, in English. */
const CodeForm = defineComponent({
  props: { challenge: { type: Object as PropType<Challenge>, required: true } },
  setup(props) {
    const form = ref<HTMLFormElement>();
    const focus = () => focusIn(form.value ?? null);
    onMounted(() => props.challenge.isPending || focus());
    watch(
      // An incomplete code is an error without a request.
      [() => props.challenge.isPending, () => props.challenge.error],
      ([isPending]) => isPending || focus(),
      { flush: 'post' },
    );
    const onSubmit = (event: Event) => {
      event.preventDefault();
      if (form.value) void props.challenge.verify(codeIn(form.value));
    };
    return () => {
      const { id, sentTo, isPending, error, method, send, prove, close } = props.challenge;
      const wasSent = sentTo !== undefined;
      const field = {
        id,
        name: 'code',
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        required: true,
        'aria-invalid': error?.code === 'wrong_code',
        'aria-describedby': `${id}-hint`,
      };
      const attributes = { ref: form, style: formStyle, 'aria-label': texts.title, 'aria-busy': isPending, onSubmit };
      return h('form', attributes, [
        h('div', { id: `${id}-hint`, role: 'status' }, hintOf(props.challenge)),
        wasSent && [h('label', { for: id }, texts.code), h('input', field)],
        error && h('div', { role: 'alert' }, error.detail),
        wasSent && h('button', { type: 'submit' }, texts.submit),
        method !== undefined &&
          h('button', { type: 'button', disabled: isPending, onClick: () => void prove() }, proveLabelOf(method)),
        offeredBy(props.challenge).map((channel) => {
          const label = sendLabelOf(props.challenge, channel);
          return h('button', { key: channel, type: 'button', onClick: () => void send(channel) }, label);
        }),
        h('button', { type: 'button', onClick: close }, texts.cancel),
      ]);
    };
  },
});

/**
 * Renders a form if a challenge waits for a code, and otherwise nothing. Place it once. The default slot renders a form
 * of the application's own. Without it, there is a plain form in English with the class `whorl-challenge`.
 */
export const ChallengeForm = defineComponent({
  slots: Object as SlotsType<{ default: Challenge }>,
  setup(_props, { slots }) {
    const challenge = useChallenge();
    return () => {
      const current = challenge.value;
      if (!current || slots.default) return current && slots.default?.(current);
      return h(CodeForm, { key: current.id, challenge: current, class: 'whorl-challenge' });
    };
  },
});
