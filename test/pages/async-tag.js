// The code of a site with an async script tag: waits for its onload, then calls the package.
window.answer = new Promise((resolve, reject) => {
  const script = document.createElement('script');
  script.async = true;
  script.src = '/dist/whorl.min.js';
  script.onload = () => Whorl.getHash().then(resolve, reject);
  script.onerror = () => reject(new Error('The script did not load'));
  document.head.append(script);
});
