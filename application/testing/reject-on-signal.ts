/** Loaded before the application: SIGUSR2 causes an unhandled rejection. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nobody waits for this'));
});
