/** What an account has chosen for its last labels, as the query of their address: its next form begins with it. */
import type { Database, KyselyTransaction } from '../../database/kysely.ts';

export interface LabelChoices {
  /** Empty before the first labels. */
  readonly find: (account: number) => Promise<string>;
  readonly remember: (
    transaction: KyselyTransaction,
    account: number,
    choice: string,
  ) => Promise<void>;
}

export function createLabelChoices({ read }: Pick<Database, 'read'>): LabelChoices {
  return {
    async find(account) {
      const row = await read
        .selectFrom('accounts')
        .select('labels')
        .where('id', '=', account)
        .executeTakeFirst();
      return row?.labels ?? '';
    },
    async remember(transaction, account, labels) {
      await transaction.updateTable('accounts').set({ labels }).where('id', '=', account).execute();
    },
  };
}
