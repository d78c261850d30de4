/** A user whose clicks and keys are counted. */
import type { Locator, Page } from 'playwright-core';

export function countInputs({ keyboard }: Page) {
  const used = { clicks: 0, keys: 0 };
  return {
    used,
    async click(one: Locator): Promise<void> {
      used.clicks++;
      await one.click();
    },
    async press(...keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        used.keys++;
        await keyboard.press(key);
      }
    },
  };
}
