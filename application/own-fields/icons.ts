/** The icons of kinds of things, as lines in the colour of the text. They only decorate: the name stands beside. */
import { type Html, html, trustedHtml } from 'seeother';

const DRAWN = {
  box: ['Box', 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8'],
  tool: ['Tool', 'M14 7a4 4 0 0 1 5-4l-2 3 1 2 2 1 2-3a4 4 0 0 1-6 4L8 18a2 2 0 0 1-3-3z'],
  computer: ['Computer', 'M5 5h14v10H5zM2 19h20M9 15l-1 4M15 15l1 4'],
  camera: ['Camera', 'M3 7h4l2-3h6l2 3h4v12H3zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8'],
  sound: ['Sound', 'M4 9h4l5-5v16l-5-5H4zM16 9a4 4 0 0 1 0 6M18 6a8 8 0 0 1 0 12'],
  light: ['Light', 'M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-1 1-1 2-1 4H9c0-2 0-3-1-4'],
  plug: ['Plug and cable', 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4'],
  chair: ['Furniture', 'M7 3v10h10V3M5 13h14v3H5zM7 16v5M17 16v5'],
  book: [
    'Book',
    'M4 4h6a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H4zM20 4h-6a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h6z',
  ],
  clothes: ['Clothes', 'M8 3L3 6l2 5 2-1v11h10V10l2 1 2-5-5-3a4 4 0 0 1-8 0'],
  kitchen: ['Kitchen', 'M6 3v7a2 2 0 0 0 4 0V3M8 12v9M17 3c-2 2-3 5-3 9h3v9z'],
  vehicle: ['Vehicle', 'M3 16v-4l3-6h12l3 6v4zM3 12h18M7 16v3M17 16v3'],
  key: ['Key', 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 12l9-9M16 7l3 3'],
  garden: ['Garden', 'M12 21v-9M12 12c0-5 3-8 8-8 0 5-3 8-8 8M12 15c0-4-3-6-7-6 0 4 3 6 7 6'],
} as const;

export type IconName = keyof typeof DRAWN;

/** The labels by name. */
export const ICONS = Object.fromEntries(
  Object.entries(DRAWN).map(([name, [label]]) => [name, label]),
) as Readonly<Record<IconName, string>>;

/** Null for none, and for one that only another release knows. */
export function kindIcon(name: string): Html | null {
  if (!Object.hasOwn(DRAWN, name)) return null;
  const [, path] = DRAWN[name as IconName];
  return html`<svg class="line kind-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${trustedHtml(path)}"/></svg>`;
}
