/**
 * Loaded into a process that is not to outlive the one that started it. The channel between them breaks however the
 * parent ends, by SIGKILL too.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone shall not keep a process that is done.
process.channel?.unref();

export {};
