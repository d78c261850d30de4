/** Run as a process of its own by checkForDamage: prints what is wrong with the file, or nothing. */
import { DatabaseSync } from 'node:sqlite';
import { findDamage } from './find-damage.ts';

const [file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
process.stdout.write(findDamage(database) ?? '');
database.close();
