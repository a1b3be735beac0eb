/**
 * Loaded into a process that must not outlive its parent. The channel between them breaks whenever the parent ends,
 * even by SIGKILL.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone must not keep a finished process alive.
process.channel?.unref();

export {};
