/**
 * Locations as a tree: what follows a comma is inside what comes before it, as for the filter (facets.ts). A
 * place that only has others inside it is in the tree too.
 */
import type { Facet } from './facet-list.ts';
import { toFacetKey } from './facets.ts';

export interface Place {
  /** The whole location, for the filter: “Office, drawer 2”. */
  readonly location: string;
  /** Its last part: “drawer 2”. */
  readonly name: string;
  /** At the place and inside it. */
  readonly items: number;
  readonly inside: readonly Place[];
}

interface Branch {
  location: string;
  name: string;
  items: number;
  readonly inside: Map<string, Branch>;
}

/** Deeper places are left out: they are counted in those that they are inside. */
const MAX_DEPTH = 6;

/** In the order of the locations. Of several spellings, the first one names the place. */
export function toPlaces(locations: readonly Facet[]): readonly Place[] {
  const roots = new Map<string, Branch>();
  for (const { name, items } of locations) {
    let level = roots;
    for (const location of pathOf(name).slice(0, MAX_DEPTH)) {
      const key = toFacetKey(location);
      const branch = level.get(key) ?? { ...named(location), items: 0, inside: new Map() };
      branch.items += items;
      level.set(key, branch);
      level = branch.inside;
    }
  }
  return [...roots.values()].map(toPlace);
}

/** The places from the outermost to the location itself. */
function pathOf(location: string): readonly string[] {
  // A comma behind a space does not end a name: the filter finds no names with a space at their end.
  const commas = [...location.matchAll(/(?<=\S),/g)].map(({ index }) => index);
  return [...commas.map((comma) => location.slice(0, comma)), location];
}

function named(location: string) {
  const comma = location.lastIndexOf(',');
  return { location, name: location.slice(comma + 1).trim() || location };
}

function toPlace({ inside, ...place }: Branch): Place {
  return { ...place, inside: [...inside.values()].map(toPlace) };
}

/** How many places there are, inside others too. */
export function countPlaces(places: readonly Place[]): number {
  return places.reduce((count, { inside }) => count + 1 + countPlaces(inside), 0);
}

/** Whether the location is the place, or inside it. */
export function isIn(location: string, place: Place): boolean {
  const key = toFacetKey(place.location);
  return `${toFacetKey(location)},`.startsWith(`${key},`);
}
