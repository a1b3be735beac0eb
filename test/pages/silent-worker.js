// A worker that never answers. It holds a lock, which the browser takes back when the worker has ended.
navigator.locks.request('silent-worker', () => new Promise(() => {}));
