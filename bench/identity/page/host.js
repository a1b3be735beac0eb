// Runs in the page around the frame. Its URL names the frame.
const query = new URL(location.href).searchParams;
globalThis.framed = new Promise((resolve, reject) => {
  addEventListener('message', ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data)), {
    once: true,
  });
});
const frame = document.createElement('iframe');
if (query.has('sandbox')) frame.setAttribute('sandbox', 'allow-scripts');
frame.src = query.get('src');
document.body.append(frame);
