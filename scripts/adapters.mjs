/** Entry points for servers. They use nothing of a framework but types, except better-auth's plugin. */
export const serverAdapters = ['express', 'fastify', 'hono', 'next', 'better-auth', 'auth-js', 'passport'];
/** Entry points for pages. */
export const pageAdapters = ['page', 'devices', 'react', 'vue'];
