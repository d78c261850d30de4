/** The items of every measured database: about two tags each, and text that must be escaped. */
import type { ItemInput } from './parse-item.ts';

const THINGS = ['Cordless drill', 'Label printer', 'HDMI cable, 3 m', 'Bolts <M8> & nuts', 'Tent'];
const PLACES = ['Workshop, wall', 'Office, drawer 2', 'Meeting room, cabinet', ''];
const TAGS = [['tools'], ['office', 'lent out often'], ['cables', 'meeting room', 'spare'], []];

/** A small team's things; the list shows the last twenty. */
const COUNT = 200;

export const SAMPLE_ITEMS: readonly ItemInput[] = Array.from({ length: COUNT }, (_, at) => ({
  name: `${pick(THINGS, at)} ${at + 1}`,
  description: at % 3 === 0 ? 'Charge one battery when you take the other.' : '',
  quantity: (at * 37) % 2_000,
  location: pick(PLACES, at),
  tags: pick(TAGS, at >> 1),
}));

function pick<T>(from: readonly T[], at: number): T {
  return from[at % from.length] as T;
}
