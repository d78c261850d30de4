/** What the list says while there is no account: how to make the first one, and who can read the items. */
import { type Html, html } from 'seeother';
import { type Awaitable, andThen } from 'seeother/middleware';
import { href } from '../links.ts';
import { toCommand } from '../settings/command.ts';
import type { Readers, Registration } from '../settings/config.ts';
import { describeReaders } from '../settings/readers.ts';
import type { People } from './people.ts';

export interface WelcomeOptions {
  readonly people: Pick<People, 'isEmpty'>;
  readonly registration: Registration;
  readonly readers: Readers;
}

/** Null once there is an account. */
export type Welcome = () => Awaitable<Html | null>;

export function createWelcome({ people, registration, readers }: WelcomeOptions): Welcome {
  const shown = html`<div class="notice">
<p>There is no account yet. ${registration === 'invite' ? INVITED : CREATE} The first account is the administrator’s.</p>
<p>${describeReaders(readers)}</p>
</div>
`;
  // Accounts are never deleted, so the database is asked no more once there is one.
  let isEmpty = true;
  return () =>
    andThen(isEmpty && people.isEmpty(), (found) => {
      isEmpty = found;
      return found ? shown : null;
    });
}

const CREATE = html`To add things, <a href="${href('/register')}">create the first account</a>.`;

const INVITED = html`To create the first one, run <code>${toCommand('account invite')}</code> where this site runs, and open the link.`;
