/** A child process that migrates a database and kills itself with SIGKILL halfway. */
import type { Connection } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { fileOf } from '../testing/create-test-database.ts';
import { migrate } from './migrate.ts';

const [url = ''] = process.argv.slice(2);
const isFile = url.startsWith('sqlite:');

const migrateUntilKilled = ({ run }: Connection) => {
  const connection: Connection = {
    async run(sql, values) {
      const result = await run(sql, values);
      if (sql.includes('item_tags_by_tag')) process.kill(process.pid, 'SIGKILL');
      return result as never;
    },
  };
  return migrate(isFile ? 'sqlite' : 'postgres', connection);
};

if (isFile) await openSqlite(fileOf(url), { migrate: migrateUntilKilled });
else await openPostgres(parsePostgresUrl(url), { migrate: migrateUntilKilled });
