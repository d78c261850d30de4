/**
 * Locations as a tree: “Office, drawer 2” is inside “Office”, as for the filter (facets.ts). “Office” is a node
 * even if no item is in the office itself.
 */
import { pathOf, toFacetKey } from '../facets.ts';

export interface LocationNode {
  /** The whole location, for the filter: “Office, drawer 2”. */
  readonly location: string;
  /** Its last part: “drawer 2”. */
  readonly name: string;
  /** How many items are there, or in a location inside it. */
  readonly items: number;
  readonly inside: readonly LocationNode[];
}

interface Branch {
  location: string;
  name: string;
  items: number;
  readonly inside: Map<string, Branch>;
}

/** In the order of the locations. The first of several spellings names the node. */
export function toLocationTree(
  locations: readonly { readonly name: string; readonly items: number }[],
): readonly LocationNode[] {
  const roots = new Map<string, Branch>();
  for (const { name, items } of locations) {
    let level = roots;
    for (const location of pathOf(name)) {
      const key = toFacetKey(location);
      const branch = level.get(key) ?? { ...named(location), items: 0, inside: new Map() };
      branch.items += items;
      level.set(key, branch);
      level = branch.inside;
    }
  }
  return [...roots.values()].map(toNode);
}

function named(location: string) {
  const comma = location.lastIndexOf(',');
  return { location, name: location.slice(comma + 1).trim() || location };
}

function toNode({ inside, ...branch }: Branch): LocationNode {
  return { ...branch, inside: [...inside.values()].map(toNode) };
}

/** The number of nodes at all depths. */
export function countNodes(nodes: readonly LocationNode[]): number {
  return nodes.reduce((count, { inside }) => count + 1 + countNodes(inside), 0);
}

/** Whether the location is that of the node, or inside it. */
export function isIn(location: string, node: LocationNode): boolean {
  const key = toFacetKey(node.location);
  return `${toFacetKey(location)},`.startsWith(`${key},`);
}
