/**
 * Parts of pages, kept as they were rendered until what they show has another version. Bounded in
 * size: those that were not asked for the longest go first.
 *
 * A part is the same for everybody: what reads and renders it is handed over before there is any
 * request, and gets nothing but what was asked for. The hard case is a part that was being read when
 * a newer version came: it is shown, and not kept.
 */
import { trustedHtml } from 'seeother';
import type { PagePart } from './layout.ts';

export interface KeepOptions<Asked, Content> {
  readonly read: (asked: Asked) => Promise<Content>;
  readonly render: (content: Content) => PagePart;
  /** Tells what was asked for apart. */
  readonly toKey: (asked: Asked) => string;
  /** Characters of all parts together; 2,000,000 unless said otherwise. */
  readonly limit?: number;
}

/** The part for what is asked. `version` was read before: see `answerNotModified`. */
export type KeptParts<Asked> = (version: string, asked: Asked) => Promise<PagePart>;

export function keepParts<Asked, Content>({
  read,
  render,
  toKey,
  limit = 2_000_000,
}: KeepOptions<Asked, Content>): KeptParts<Asked> {
  // A map goes through its keys in the order in which they came: the first is the one to go.
  const parts = new Map<string, PagePart>();
  let keptVersion = '';
  let size = 0;

  const forget = (key: string): void => {
    const part = parts.get(key);
    if (part === undefined) return;
    size -= sizeOf(key, part);
    parts.delete(key);
  };
  const keep = (key: string, part: PagePart): void => {
    forget(key);
    if (sizeOf(key, part) > limit) return;
    parts.set(key, part);
    size += sizeOf(key, part);
    for (const oldest of parts.keys()) {
      if (size <= limit) return;
      forget(oldest);
    }
  };

  return async (version, asked) => {
    if (version !== keptVersion) {
      parts.clear();
      size = 0;
      keptVersion = version;
    }
    const key = toKey(asked);
    const kept = parts.get(key);
    if (kept !== undefined) {
      parts.delete(key);
      parts.set(key, kept);
      return kept;
    }
    const part = flatten(render(await read(asked)));
    if (version === keptVersion) keep(key, part);
    return part;
  };
}

/** Text that was put together is a tree of its pieces, which every page would walk again. */
function flatten(part: PagePart): PagePart {
  return { ...part, main: trustedHtml(Buffer.from(part.main.markup).toString()) };
}

function sizeOf(key: string, { title, main }: PagePart): number {
  return key.length + title.length + main.markup.length;
}
