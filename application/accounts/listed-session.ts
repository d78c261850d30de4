/** A user's own sessions, as the pages name them. */
import type { Request, Session } from 'seeother';
import { describeAgent } from 'seeother/accounts';
import type { SessionUser } from '../site/session-user.ts';
import { toPublicId } from './public-id.ts';
import type { Sessions } from './stores.ts';

export interface ListedSession {
  /** The public id. */
  readonly id: string;
  /** Never shown. */
  readonly key: string;
  /** In words, such as "Firefox on Linux". */
  readonly agent: string;
  readonly address: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Whether it is the session of this request. */
  readonly isThis: boolean;
}

/** The session of this request comes first, and then the one that was seen last. */
export async function listSessions(
  sessions: Sessions,
  { session, request }: { readonly session: Session<SessionUser>; readonly request: Request },
  now: Date,
): Promise<readonly ListedSession[]> {
  const mine = await sessions.list(session.user.id, now);
  return mine
    .map(({ key, agent, address, startedAt, seenAt }) => ({
      id: toPublicId(key),
      key,
      agent: describeAgent(agent, request),
      address,
      startedAt,
      seenAt,
      isThis: key === session.key,
    }))
    .sort((one, other) => Number(other.isThis) - Number(one.isThis));
}
