/** The checks of what somebody proves or asks for: each counts against too many, and its failures are in the log. */
import type { Database, WriteTransaction } from '../database/database.ts';
import { type Account, isUsable, toNameKey } from './account.ts';
import { toTold } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountParts } from './account-parts.ts';
import { createAttempts } from './attempts.ts';
import { readDevice } from './device-cookie.ts';
import type { Devices } from './devices.ts';
import { createHashQueue } from './hash-queue.ts';
import { createPasswords } from './passwords.ts';
import { createThrottle } from './throttle.ts';

export type Checks = Pick<
  AccountParts,
  | 'attempt'
  | 'attemptPasskey'
  | 'checkPassword'
  | 'countMail'
  | 'countRegistration'
  | 'forgetAttempts'
  | 'hash'
>;

export function createChecks(
  database: Database,
  {
    options,
    devices,
    store,
    note,
    write,
  }: Pick<AccountParts, 'store' | 'note' | 'write'> & {
    readonly options: CheckedOptions;
    readonly devices: Devices<WriteTransaction>;
  },
): Checks {
  const { now, tables: { attempts: table } = {} } = options;
  const passwords = createPasswords(options.passwords?.hashes);
  const queue = createHashQueue();
  const throttle = createThrottle(database, { now, ...(table !== undefined && { table }) });
  const attempts = createAttempts({
    throttle,
    queue,
    async report(what, { account, kind, request }) {
      // Nobody has failed who asks for too many mails or accounts.
      if (kind === 'mail link' || kind === 'registration') return;
      // Whose passkey it was to be is not proved.
      const isPasskey = kind === 'passkey';
      const found = isPasskey ? null : await store.find({ username: account });
      if (what === 'failed') {
        const failed = kind === 'log-in' || isPasskey ? 'log-in failed' : 'second factor failed';
        await note({ account: found, kind: failed, detail: isPasskey ? kind : '', request });
        return;
      }
      // What was not even checked fills no table.
      options.onEvent({
        account: toTold(found),
        kind: 'log-in throttled',
        detail: kind === 'log-in' ? '' : kind,
        by: null,
        request,
      });
    },
  });

  /** The hash has an old cost: the password is known only now. */
  async function rehash(account: Account, password: string): Promise<void> {
    const password_hash = await passwords.hash(password);
    await write(async (transaction) => {
      const locked = await store.lock(transaction, account.id);
      if (locked?.version === account.version)
        await store.change(transaction, account.id, { password_hash });
    });
  }

  return {
    hash: (password) => queue('unknown device', () => passwords.hash(password)),
    async checkPassword(request, typed, password) {
      const found = await store.findTyped(typed);
      const device = await devices.find(readDevice(request), found?.id ?? null);
      const name = toNameKey(found?.username ?? typed);
      return attempts.check({ kind: 'log-in', account: name, device, request }, async () => {
        // Read again: it may have changed while the check has waited.
        const account = await store.findTyped(typed);
        const hash = account?.passwordHash ?? null;
        const matches = await passwords.verify(password, hash);
        if (!matches || account === null || !isUsable(account) || hasExpired(account, now()))
          return null;
        if (hash !== null && passwords.needsRehash(hash)) await rehash(account, password);
        return account;
      });
    },
    async attempt(request, kind, { id, username }, check) {
      const device = await devices.find(readDevice(request), id);
      return attempts.check({ kind, account: toNameKey(username), device, request }, check);
    },
    attemptPasskey: (request, check) =>
      attempts.check({ kind: 'passkey', account: request.address, device: null, request }, check),
    async forgetAttempts(transaction, { id, username }) {
      const keys = await devices.forget(id, transaction);
      const forgotten = { account: toNameKey(username), kinds: ['log-in'], devices: keys } as const;
      await throttle.forget(forgotten, transaction);
    },
    async countMail({ request, values }) {
      const account = toNameKey(values.email ?? '');
      if (account === '') return [];
      // Strangers who ask for mails on purpose do not keep the owner from asking for one.
      const found = await store.find({ email: account });
      const device = await devices.find(readDevice(request), found?.id ?? null);
      await attempts.count({ kind: 'mail link', account, device, request });
      return [];
    },
    async countRegistration(request, username) {
      const account = toNameKey(username);
      await attempts.count({ kind: 'registration', account, device: null, request });
    },
  };
}

function hasExpired({ passwordEndsAt }: Account, now: Date): boolean {
  return passwordEndsAt !== null && passwordEndsAt <= now;
}
