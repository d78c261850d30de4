/**
 * Reads locations of other programs: places inside places are separated by a comma here, and by a slash, an arrow or
 * another mark there. A mark counts only where people say so, because “Room 1/2” may be one place.
 */

/** The marks, with how people see them. `found` is stricter: a slash between digits is a part of a name: “1/2”. */
const MARKS = {
  '->': { pattern: /\s*(?:[-=–—]+>|[→⇒⇨➔➙-➾⟶⟹▶▸►])\s*/u, label: 'An arrow: Room -> Shelf' },
  '>': { pattern: /\s*[>＞»›≫]+\s*/u, label: 'Room > Shelf' },
  '/': {
    pattern: /\s*[/／]\s*/u,
    found: /\S\s+[/／]\s+\S|\p{L}{2}[/／]\p{L}{2}/u,
    label: 'A slash: Room / Shelf',
  },
  // Where a place may be called “Shelf 1/2”. After “/”, which is found first.
  ' / ': { pattern: /\s+[/／]\s+/u, label: 'A slash between spaces: Room / Shelf 1/2' },
  '\\': { pattern: /\s*[\\＼]\s*/u, label: 'A backslash: Room \\ Shelf' },
  '，': { pattern: /\s*[，、،]\s*/u, label: 'A comma of another script: Room，Shelf' },
  '|': { pattern: /\s*[|;｜；؛]\s*/u, label: 'A bar or a semicolon: Room | Shelf' },
  '-': { pattern: /\s+[-–—]\s+/u, label: 'A dash between spaces: Room - Shelf' },
  ':': { pattern: /\s*::?\s*/u, found: /::|\S\s*:\s+\S/u, label: 'A colon: Room: Shelf' },
  '·': { pattern: /\s+[·•∙]\s+/u, label: 'A dot between spaces: Room · Shelf' },
} satisfies Record<string, Mark>;

interface Mark {
  readonly pattern: RegExp;
  readonly found?: RegExp;
  readonly label: string;
}

export type PlaceMark = keyof typeof MARKS;
const ALL = Object.entries(MARKS) as readonly (readonly [PlaceMark, Mark])[];

/** `,` is the comma of a location here. */
export const PLACE_CHOICES: readonly { readonly value: PlaceMark | ','; readonly label: string }[] =
  [
    { value: ',', label: 'Only commas: Room, Shelf' },
    ...ALL.map(([value, { label }]) => ({ value, label })),
  ];

/** The mark that a location may have been written with; null for one with commas alone. */
export function findPlaceMark(location: string): PlaceMark | null {
  // Fast for the most.
  if (/^[\p{L}\p{N} ,.()]*$/u.test(location)) return null;
  const [mark = null] = ALL.find(([, { pattern, found = pattern }]) => found.test(location)) ?? [];
  return mark;
}

/** The location with one comma and one space between its places. */
export function readLocation(text: string, mark: PlaceMark | null): string {
  const split = mark === null ? text : text.replaceAll(new RegExp(MARKS[mark].pattern, 'gu'), ',');
  if (!split.includes(',')) return split.trim();
  const places = split.split(',').map((place) => place.trim());
  return places.filter((place) => place !== '').join(', ');
}
