/** A finger on Chromium's virtual authenticator, and what its browser waits for. */
import type { Page } from 'playwright-core';

export interface Finger {
  /** Whether the user touches the sensor: without, the browser waits. */
  readonly touch: (isPresent: boolean) => Promise<unknown>;
  /** Whether it recognizes the user. */
  readonly recognize: (isVerified: boolean) => Promise<unknown>;
}

/** An authenticator of the browser itself, which the user touches and which recognizes him. */
export async function addAuthenticator(page: Page): Promise<Finger> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: (enabled) =>
      client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    recognize: (isUserVerified) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

/** Call it before the page is opened: its result waits until the browser offers passkeys among usernames. */
export async function watchOffer(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(`{
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = (asked) => {
      window.mediation = asked.mediation;
      return get(asked);
    };
  }`);
  return async () => {
    while ((await page.evaluate('window.mediation')) !== 'conditional')
      await page.waitForTimeout(20);
  };
}
