/**
 * What is the case now, such as the length of a queue, asked for when somebody looks. The parts that know it register a
 * function; several of a name, such as those of two servers, are added up.
 */

export type LevelName =
  | 'requests waiting'
  | 'connections'
  | 'writes waiting'
  | 'database connections'
  | 'database connections in use'
  | 'database connections awaited';

const levels = new Map<LevelName, Set<() => number>>();

/** Returns what removes it. */
export function addLevel(name: LevelName, read: () => number): () => void {
  const readers = levels.get(name) ?? new Set();
  levels.set(name, readers.add(read));
  return () => void readers.delete(read);
}

/** 0 if no part has registered it. */
export function readLevel(name: LevelName): number {
  let sum = 0;
  for (const read of levels.get(name) ?? []) sum += read();
  return sum;
}

/** The levels of this process; those that no part has registered are missing. */
export function readLevels(): Partial<Record<LevelName, number>> {
  return Object.fromEntries(
    [...levels].filter(([, readers]) => readers.size > 0).map(([name]) => [name, readLevel(name)]),
  );
}
