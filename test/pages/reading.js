// Reads the browser repeatedly, and reports each result with a request.
async function read(count) {
  const { fingerprint } = await Whorl.collect();
  await fetch(`/read?${count}&${fingerprint}`);
  if (count < 1000) setTimeout(read, 100, count + 1);
}

read(1);
