/** Loaded before the application: SIGUSR2 makes a mistake in it, a promise that fails and that nobody waits for. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nobody waits for this'));
});
