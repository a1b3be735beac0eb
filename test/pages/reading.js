// Reads the browser again and again, and tells each time by asking for an address.
async function read(count) {
  const { fingerprint } = await Whorl.collect();
  await fetch(`/read?${count}&${fingerprint}`);
  if (count < 1000) setTimeout(read, 100, count + 1);
}

read(1);
