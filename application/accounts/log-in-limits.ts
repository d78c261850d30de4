/**
 * How often somebody may try to log in, in the tables of the application. A device is a browser in which the account
 * has logged in before: its failures are counted apart.
 */
import { createDevices, createThrottle } from 'seeother/accounts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { toUsernameKey } from './username-key.ts';

export function createLogInLimits({ door, write }: Pick<Database, 'door' | 'write'>) {
  const database = { ...door, write };
  const devices = createDevices<KyselyTransaction>(database, { table: 'devices' });
  const throttle = createThrottle<KyselyTransaction>(database, { table: 'failed_log_ins' });
  return {
    devices,
    throttle,
    /**
     * Deletes the devices of the account and their failed log-ins. With the username, also the failed log-ins
     * elsewhere; those of networks still count.
     */
    async forget(
      transaction: KyselyTransaction,
      { id, username }: { readonly id: number; readonly username?: string },
    ): Promise<void> {
      const forgotten = {
        account: toUsernameKey(username ?? ''),
        kinds: username === undefined ? [] : (['log-in'] as const),
        devices: await devices.forget(id, transaction),
      };
      await throttle.forget(forgotten, transaction);
    },
  };
}
