// Evaluates with the options in the address, and tells the page around it what came of it.
const options = JSON.parse(decodeURIComponent(location.hash.slice(1)));
Whorl.evaluate(options).then(
  () => parent.postMessage({ code: 'none', search: location.search }, '*'),
  ({ code }) => parent.postMessage({ code, search: location.search }, '*'),
);
