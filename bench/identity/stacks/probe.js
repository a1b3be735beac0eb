// Reads the page, and records events until the button is clicked. Loaded by page.mjs.
(() => {
  const parameters = new URLSearchParams(location.search);
  const run = parameters.get('run');
  const post = (path, body) => fetch(`/${path}/${run}`, { method: 'POST', body: JSON.stringify(body) });
  const attempt = async (read) => {
    try {
      return await Promise.race([read(), new Promise((resolve) => setTimeout(resolve, 10_000, 'failed: no answer'))]);
    } catch (error) {
      return `failed: ${error}`;
    }
  };

  const events = [];
  const fields = ['clientX', 'clientY', 'screenX', 'screenY', 'movementX', 'movementY', 'buttons', 'button', 'detail'];
  const pointerFields = ['pressure', 'width', 'height', 'pointerType', 'pointerId', 'isPrimary', 'deltaY'];
  const types = ['pointermove', 'pointerdown', 'pointerup', 'pointerrawupdate', 'mousemove', 'mousedown', 'mouseup'];
  types.push('click', 'wheel', 'scroll', 'keydown', 'keyup', 'beforeinput', 'input', 'focus', 'blur', 'pointerover');
  for (const type of types) {
    addEventListener(
      type,
      (event) => {
        const record = { type, at: event.timeStamp, now: performance.now(), isTrusted: event.isTrusted };
        for (const name of [...fields, ...pointerFields]) if (name in event) record[name] = event[name];
        if ('key' in event) record.key = event.key.length === 1 ? 'char' : event.key;
        if ('code' in event) record.hasCode = event.code !== '';
        if ('inputType' in event) record.inputType = event.inputType;
        record.coalesced = event.getCoalescedEvents?.().length;
        record.predicted = event.getPredictedEvents?.().length;
        record.capabilities = event.sourceCapabilities && String(event.sourceCapabilities.firesTouchEvents);
        record.activation = navigator.userActivation?.isActive;
        record.hasFocus = document.hasFocus();
        const box = event.target?.getBoundingClientRect?.();
        if (box)
          record.offCentre = Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
        events.push(record);
      },
      true,
    );
  }
  document.querySelector('#done').addEventListener('click', () => setTimeout(() => post('events', events), 100));

  async function readFacts() {
    const surface = {};
    for (const name of Object.getOwnPropertyNames(window)) {
      surface[name] = attemptNow(() =>
        Object.getOwnPropertyNames(window[name]?.prototype ?? {})
          .sort()
          .join(),
      );
    }
    const navigation = performance.getEntriesByType('navigation')[0]?.toJSON() ?? {};
    return {
      inner: [innerWidth, innerHeight],
      outer: [outerWidth, outerHeight],
      screen: [screen.width, screen.height, screen.availWidth, screen.availHeight],
      at: [screenX, screenY],
      origin: [window.mozInnerScreenX, window.mozInnerScreenY],
      ratio: devicePixelRatio,
      visual: [visualViewport.width, visualViewport.height],
      client: [document.documentElement.clientWidth, document.documentElement.clientHeight],
      focus: document.hasFocus(),
      visibility: document.visibilityState,
      history: history.length,
      opener: opener === null,
      referrer: document.referrer,
      name: window.name,
      isExtended: screen.isExtended,
      orientation: screen.orientation?.type,
      media: ['hover', 'any-hover', 'pointer', 'any-pointer', 'prefers-color-scheme', 'prefers-reduced-motion']
        .concat(['forced-colors', 'color-gamut', 'display-mode', 'prefers-contrast', 'update', 'scripting'])
        .map((feature) => matching(feature)),
      plugins: [...navigator.plugins].map(({ name }) => name).join(),
      pdf: navigator.pdfViewerEnabled,
      languages: navigator.languages.join(),
      connection: attemptNow(() => [
        navigator.connection.rtt,
        navigator.connection.downlink,
        navigator.connection.type,
      ]),
      notification: attemptNow(() => Notification.permission),
      permissions: await attempt(async () => {
        const names = ['notifications', 'geolocation', 'camera', 'clipboard-read', 'midi', 'push', 'storage-access'];
        const states = [];
        for (const name of names) {
          states.push(
            await attempt(async () => (await navigator.permissions.query({ name, userVisibleOnly: true })).state),
          );
        }
        return states.join();
      }),
      devices: await attempt(async () =>
        (await navigator.mediaDevices.enumerateDevices()).map(({ kind }) => kind).join(),
      ),
      estimate: await attempt(async () => (await navigator.storage.estimate()).quota),
      navigation: [navigation.type, navigation.nextHopProtocol, navigation.transferSize, navigation.encodedBodySize]
        .concat([navigation.deliveryType, navigation.activationStart, navigation.workerStart])
        .concat([navigation.connectStart === navigation.connectEnd, JSON.stringify(navigation.notRestoredReasons)]),
      timing: [navigation.fetchStart, navigation.requestStart, navigation.responseStart, navigation.domInteractive],
      voices: attemptNow(() => speechSynthesis.getVoices().length),
      chrome: attemptNow(() => Object.keys(window.chrome).join()),
      stack: attemptNow(() => new Error('probe').stack),
      scrollbar: innerWidth - document.documentElement.clientWidth,
      iframeLoading: 'loading' in HTMLIFrameElement.prototype,
      keyboard: await attempt(async () => (await navigator.keyboard.getLayoutMap()).size),
      wake: 'wakeLock' in navigator,
      cast: await attempt(async () => {
        const request = new PresentationRequest('https://example.com/');
        return (await request.getAvailability()).value;
      }),
      remote: await attempt(() => document.createElement('video').remote?.state),
      isolated: [window.crossOriginIsolated, isSecureContext, window.originAgentCluster],
      domains: document.featurePolicy?.features?.().sort().join(),
      surface,
    };
  }

  function attemptNow(read) {
    try {
      return read();
    } catch (error) {
      return `failed: ${error}`;
    }
  }

  function matching(feature) {
    const values = [
      'none',
      'hover',
      'fine',
      'coarse',
      'light',
      'dark',
      'reduce',
      'no-preference',
      'active',
      'srgb',
      'p3',
    ];
    values.push('rec2020', 'browser', 'fullscreen', 'standalone', 'more', 'less', 'custom', 'fast', 'slow', 'enabled');
    return `${feature}: ${values.filter((value) => matchMedia(`(${feature}: ${value})`).matches).join()}`;
  }

  addEventListener('load', async () => {
    // Developer tools open after the page.
    await new Promise((resolve) => setTimeout(resolve, Number(parameters.get('wait'))));
    const [fingerprint] = await Whorl.getHash();
    post('reading', { fingerprint, facts: parameters.has('brief') ? undefined : await attempt(readFacts) });
  });
})();
