// A worker that never responds. It holds a lock, which the browser releases when the worker has ended.
navigator.locks.request('silent-worker', () => new Promise(() => {}));
