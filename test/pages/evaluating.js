// Evaluates with the options in the URL, and posts the outcome to the parent page.
const options = JSON.parse(decodeURIComponent(location.hash.slice(1)));
Whorl.evaluate(options).then(
  () => parent.postMessage({ code: 'none', search: location.search }, '*'),
  ({ code }) => parent.postMessage({ code, search: location.search }, '*'),
);
