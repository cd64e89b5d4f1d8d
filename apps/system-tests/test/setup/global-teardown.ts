/** Stops the platform that the set-up started; one that ran before is left running. */
async function tearDown(): Promise<void> {
  await globalThis.startedPlatform?.stop();
}

module.exports = tearDown;
