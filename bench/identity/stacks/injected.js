// Imitations of what widely installed extensions inject into the page's own world, written from their published
// descriptions. Loaded before whorl, with the extension's name in ?injected=.
(() => {
  const tag = (name, attributes = {}, text = '') => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    document.documentElement.append(element);
    return element;
  };
  const define = (target, name, value) => Object.defineProperty(target, name, { value, configurable: true });

  const extensions = {
    adBlocker() {
      // Scriptlets: abort-on-property-read, set-constant, json-prune, no-setTimeout-if, prevent-fetch.
      Object.defineProperty(window, 'adBlockDetected', { get: () => false, set() {} });
      define(window, 'canRunAds', true);
      const { parse } = JSON;
      JSON.parse = new Proxy(parse, { apply: (target, self, args) => Reflect.apply(target, self, args) });
      window.setTimeout = new Proxy(window.setTimeout, {
        apply: (target, self, args) => Reflect.apply(target, self, args),
      });
      window.fetch = new Proxy(window.fetch, { apply: (target, self, args) => Reflect.apply(target, self, args) });
      tag('style', {}, '[id^="ad-"], .advert { display: none !important }');
    },
    wallet() {
      const provider = { isMetaMask: true, request: async () => [], on() {}, selectedAddress: null, _metamask: {} };
      define(window, 'ethereum', new Proxy(provider, { deleteProperty: () => true }));
      define(window, 'web3', { currentProvider: provider });
      define(window, 'solana', { isPhantom: true });
      const info = { uuid: '1', name: 'Wallet', icon: 'data:,', rdns: 'example.wallet' };
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
    },
    passwordManager() {
      const field = document.querySelector('input');
      field.setAttribute('data-com-onepassword-filled', 'light');
      field.setAttribute('data-lpignore', 'false');
      field.style.backgroundImage = 'url("data:,")';
      tag('com-1password-button').attachShadow({ mode: 'closed' });
      const { credentials } = navigator;
      const create = credentials?.create?.bind(credentials);
      if (create) credentials.create = (options) => create(options);
    },
    darkMode() {
      document.documentElement.setAttribute('data-darkreader-mode', 'dynamic');
      document.documentElement.setAttribute('data-darkreader-scheme', 'dark');
      tag(
        'style',
        { class: 'darkreader darkreader--user-agent' },
        'html { background: #181a1b !important; color: #e8e6e3 }',
      );
      const rules = Object.getOwnPropertyDescriptor(CSSStyleSheet.prototype, 'insertRule');
      const { insertRule } = CSSStyleSheet.prototype;
      CSSStyleSheet.prototype.insertRule = function (...args) {
        return insertRule.apply(this, args);
      };
      define(window, '__darkreader__', { rules: Boolean(rules) });
    },
    translation() {
      document.documentElement.classList.add('translated-ltr');
      document.documentElement.lang = 'de';
      tag('div', { id: 'goog-gt-tt', class: 'skiptranslate' });
      for (const label of document.querySelectorAll('label')) label.innerHTML = '<font><font>Name</font></font>';
      define(window, 'google', { translate: {} });
    },
    grammar() {
      document.body.setAttribute('data-new-gr-c-s-check-loaded', '14.1');
      document.body.setAttribute('data-gr-ext-installed', '');
      tag('grammarly-desktop-integration', { 'data-grammarly-shadow-root': 'true' }).attachShadow({ mode: 'open' });
    },
    sessionRecorder() {
      for (const name of ['fetch', 'open']) {
        const native = window[name];
        window[name] = (...args) => native.apply(window, args);
      }
      const { open, send } = XMLHttpRequest.prototype;
      XMLHttpRequest.prototype.open = function (...args) {
        return open.apply(this, args);
      };
      XMLHttpRequest.prototype.send = function (...args) {
        return send.apply(this, args);
      };
      for (const level of ['log', 'warn', 'error', 'debug', 'info', 'group', 'groupEnd']) {
        const native = console[level];
        console[level] = (...args) => native.apply(console, args);
      }
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (...args) {
        return getContext.apply(this, args);
      };
      new MutationObserver(() => {}).observe(document, { attributes: true, childList: true, subtree: true });
    },
    shopping() {
      tag('div', { id: 'honeyContainer' }).attachShadow({ mode: 'open' });
      tag('iframe', { style: 'display: none', src: 'about:blank', title: 'shopping' });
      define(window, '__honeyExtensionInstalled', true);
    },
    developer() {
      define(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__', { renderers: new Map(), supportsFiber: true, inject() {} });
      define(window, '__VUE_DEVTOOLS_GLOBAL_HOOK__', { emit() {}, on() {} });
      define(window, '__REDUX_DEVTOOLS_EXTENSION__', () => () => {});
      define(window, '__PWA_INSPECTOR__', true);
    },
    userScripts() {
      define(window, 'unsafeWindow', window);
      define(window, 'GM_info', { script: { name: 'example' } });
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (...args) {
        return addEventListener.apply(this, args);
      };
      tag('script', {}, 'window.__userScript = true; document.currentScript.remove();');
    },
  };
  extensions[new URLSearchParams(location.search).get('injected')]?.();
})();
