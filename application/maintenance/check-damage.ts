/** The program that checks a SQLite file while the service runs: see damage.ts. It prints the first damage found. */
import { DatabaseSync } from 'node:sqlite';
import { findDamage } from './damage.ts';

const [, , file = ''] = process.argv;
const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
process.stdout.write(findDamage(database) ?? '');
database.close();
