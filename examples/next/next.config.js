/** @type {import('next').NextConfig} */
export default {
  // Otherwise Next takes the folder of a lock file further up.
  turbopack: { root: import.meta.dirname },
};
