/**
 * Caches rendered fragments of pages until the version of what they show changes. The size is limited;
 * the least recently used fragments are dropped first.
 *
 * A fragment is the same for every user: the functions that read and render it are passed in at start
 * and never see a request. A fragment that is being read while the version changes is shown but not
 * cached.
 */
import type { Awaitable } from 'seeother/middleware';
import { inOnePiece } from './in-one-piece.ts';
import type { Fragment } from './layout.ts';

export interface CacheOptions<Input, Content, Rendered extends Fragment | null> {
  readonly read: (input: Input) => Promise<Content>;
  /** Null is not cached. */
  readonly render: (content: Content) => Rendered;
  /** A unique key for the input. */
  readonly toKey: (input: Input) => string;
  /** Maximum characters of all fragments; 2,000,000 by default. */
  readonly limit?: number;
}

/** Returns the fragment, at once if it is in the cache. Read `version` before the call: see `answerNotModified`. */
export type CachedFragments<Input, Rendered = Fragment> = (
  version: string,
  input: Input,
) => Awaitable<Fragment | Rendered>;

export function cacheFragments<Input, Content, Rendered extends Fragment | null = Fragment>({
  read,
  render,
  toKey,
  limit = 2_000_000,
}: CacheOptions<Input, Content, Rendered>): CachedFragments<Input, Rendered> {
  // A map iterates in insertion order, so its first key is the least recently used.
  const fragments = new Map<string, Fragment>();
  let cachedVersion = '';
  let size = 0;

  const remove = (key: string): void => {
    const fragment = fragments.get(key);
    if (fragment === undefined) return;
    size -= sizeOf(key, fragment);
    fragments.delete(key);
  };
  const add = (key: string, fragment: Fragment): void => {
    remove(key);
    if (sizeOf(key, fragment) > limit) return;
    fragments.set(key, fragment);
    size += sizeOf(key, fragment);
    for (const oldest of fragments.keys()) {
      if (size <= limit) return;
      remove(oldest);
    }
  };

  const renderAnew = async (version: string, key: string, input: Input) => {
    const rendered = render(await read(input));
    if (rendered === null) return rendered;
    const fragment = { ...rendered, main: inOnePiece(rendered.main) };
    if (version === cachedVersion) add(key, fragment);
    return fragment;
  };

  return (version, input) => {
    if (version !== cachedVersion) {
      fragments.clear();
      size = 0;
      cachedVersion = version;
    }
    const key = toKey(input);
    const cached = fragments.get(key);
    if (cached === undefined) return renderAnew(version, key, input);
    fragments.delete(key);
    fragments.set(key, cached);
    return cached;
  };
}

function sizeOf(key: string, { title, main }: Fragment): number {
  return key.length + title.length + main.markup.length;
}
