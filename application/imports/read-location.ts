/**
 * Reads locations of other programs: places inside places are separated by a comma here, and by a slash, an arrow or
 * another mark there. A mark counts only where people say so, because “Room 1/2” may be one place.
 */

/** The marks, with how people see them. */
const MARKS = {
  '->': { pattern: /\s*(?:[-=]>|[→⇒➔])\s*/u, label: 'An arrow: Room -> Shelf' },
  '>': { pattern: /\s*[>»›]\s*/u, label: 'Room > Shelf' },
  '/': { pattern: /\s*[/／]\s*/u, label: 'A slash: Room / Shelf' },
  '\\': { pattern: /\s*[\\＼]\s*/u, label: 'A backslash: Room \\ Shelf' },
  '，': { pattern: /\s*[，、،]\s*/u, label: 'A comma of another script: Room，Shelf' },
  '|': { pattern: /\s*[|;]\s*/u, label: 'A bar or a semicolon: Room | Shelf' },
  '-': { pattern: /\s+[-–—]\s+/u, label: 'A dash between spaces: Room - Shelf' },
} as const;

export type PlaceMark = keyof typeof MARKS;

/** `,` is the comma of a location here. */
export const PLACE_CHOICES: readonly { readonly value: PlaceMark | ','; readonly label: string }[] =
  [
    { value: ',', label: 'Only commas: Room, Shelf' },
    ...Object.entries(MARKS).map(([value, { label }]) => ({ value: value as PlaceMark, label })),
  ];

/** A slash between digits, or within a word of one letter, is a part of a name: “1/2”, “w/o”. */
const FOUND: readonly (readonly [PlaceMark, RegExp])[] = [
  ['->', MARKS['->'].pattern],
  ['>', MARKS['>'].pattern],
  ['/', /\S\s+[/／]\s+\S|\p{L}{2}[/／]\p{L}{2}/u],
  ['\\', MARKS['\\'].pattern],
  ['，', MARKS['，'].pattern],
  ['|', MARKS['|'].pattern],
  ['-', MARKS['-'].pattern],
];

/** The mark that a location may have been written with; null for one with commas alone. */
export function findPlaceMark(location: string): PlaceMark | null {
  // Fast for the most.
  if (!/[->→⇒➔»›/／\\＼，、،|;–—]/u.test(location)) return null;
  return FOUND.find(([, pattern]) => pattern.test(location))?.[0] ?? null;
}

/** The location with one comma and one space between its places. */
export function readLocation(text: string, mark: PlaceMark | null): string {
  const split = mark === null ? text : text.replaceAll(new RegExp(MARKS[mark].pattern, 'gu'), ',');
  if (!split.includes(',')) return split.trim();
  const places = split.split(',').map((place) => place.trim());
  return places.filter((place) => place !== '').join(', ');
}
