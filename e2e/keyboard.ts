/**
 * A user with nothing but a keyboard. Each stop of the Tab key is checked: it is on the screen, nothing
 * covers it, and an outline shows where it is. Presses no element that the focus has not reached.
 */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

export interface Keyboard {
  readonly press: (key: string) => Promise<void>;
  /** Replaces what is in the focused field. */
  readonly type: (text: string) => Promise<void>;
  /** Presses Tab until the element has the focus. */
  readonly tabTo: (target: Locator) => Promise<void>;
  /** Goes to the element, and presses Enter or the key there. */
  readonly activate: (target: Locator, key?: string) => Promise<void>;
}

/** Presses of Tab: more than any page has stops. */
const MAX_STOPS = 150;

/** What is wrong with the focus, or null. The window itself may have it before the first stop. */
const FIND_FAULT = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const name = focused.outerHTML.slice(0, 120);
  const { left, top, width, height } = focused.getBoundingClientRect();
  const isInside = (at, of, size) => at + of > 0 && at < size;
  if (!isInside(left, width, innerWidth) || !isInside(top, height, innerHeight)) return name + ' is not on the screen';
  const found = document.elementFromPoint(
    Math.min(Math.max(left + width / 2, 0), innerWidth - 1),
    Math.min(Math.max(top + height / 2, 0), innerHeight - 1),
  );
  if (!focused.contains(found) && !found?.contains(focused)) return name + ' is covered by ' + found?.outerHTML.slice(0, 120);
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  };
  // A row of the list is a link as a whole, and has the outline of its link.
  const row = focused.closest('tbody th')?.parentElement;
  return isOutlined(focused) || (row && isOutlined(row)) ? null : name + ' has no visible focus';
})()`;

export function createKeyboard(page: Page): Keyboard {
  const { keyboard } = page;
  const focused = page.locator(':focus');
  const keys: Keyboard = {
    press: (key) => keyboard.press(key),
    async type(text) {
      await keyboard.press('ControlOrMeta+A');
      await keyboard.type(text);
    },
    async tabTo(target) {
      await target.waitFor();
      // Without its style sheet, a page that is being loaded has other outlines.
      await page.waitForLoadState();
      for (let stop = 0; stop < MAX_STOPS; stop++) {
        await keyboard.press('Tab');
        assert.equal(await page.evaluate<string | null>(FIND_FAULT), null);
        if ((await target.and(focused).count()) > 0) return;
      }
      throw new Error(`No Tab stop leads to ${target}.`);
    },
    async activate(target, key = 'Enter') {
      await keys.tabTo(target);
      await keyboard.press(key);
    },
  };
  return keys;
}
