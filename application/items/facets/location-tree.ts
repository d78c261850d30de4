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
  /** How many items are there or inside it, by its spelling. */
  readonly spellings: Map<string, number>;
  readonly inside: Map<string, Branch>;
}

/** In the order of the locations. Of several spellings, the first of those with most items names the node. */
export function toLocationTree(
  locations: readonly { readonly name: string; readonly items: number }[],
): readonly LocationNode[] {
  const roots = new Map<string, Branch>();
  for (const { name, items } of locations) {
    let level = roots;
    for (const location of pathOf(name)) {
      const key = toFacetKey(location);
      const branch = level.get(key) ?? { spellings: new Map(), inside: new Map() };
      branch.spellings.set(location, (branch.spellings.get(location) ?? 0) + items);
      level.set(key, branch);
      level = branch.inside;
    }
  }
  return [...roots.values()].map(toNode);
}

function toNode({ spellings, inside }: Branch): LocationNode {
  const [[location] = ['']] = [...spellings].sort(([, items], [, others]) => others - items);
  const comma = location.lastIndexOf(',');
  return {
    location,
    name: location.slice(comma + 1).trim() || location,
    items: [...spellings.values()].reduce((sum, items) => sum + items, 0),
    inside: [...inside.values()].map(toNode),
  };
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
