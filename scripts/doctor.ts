/**
 * `npm run doctor`: checks the configuration and the machine, line by line, and says how to fix
 * problems. It leaves nothing behind and shows no secret. Exit code 1 if a problem would prevent the service
 * from starting or working; notes do not count.
 */
import { inspectConfig } from '../application/settings/config.ts';
import { examineDatabase } from './doctor/examine-database.ts';
import { examineFiles } from './doctor/examine-files.ts';
import { examineMachine, examinePort } from './doctor/examine-machine.ts';
import { examineMail } from './doctor/examine-mail.ts';
import { examineSettings } from './doctor/examine-settings.ts';
import { examineSignIn } from './doctor/examine-sign-in.ts';

const { config, settings } = inspectConfig(process.env);
const isUsable = (...names: readonly string[]) =>
  settings.every(({ name, refusal }) => refusal === null || !names.includes(name));

const findings = [
  ...examineMachine(config),
  ...examineSettings(config, settings, process.env),
  ...(await examineSignIn(config, process.env)),
  ...(isUsable('HOST', 'PORT') ? await examinePort(config) : []),
  ...(isUsable('DATABASE_URL') ? await examineDatabase(config) : []),
  ...(isUsable('DATABASE_URL', 'FILES_FOLDER', 'FILES_URL') ? await examineFiles(config) : []),
  ...(isUsable('MAIL_URL', 'MAIL_FROM', 'PUBLIC_ORIGIN') ? await examineMail(config) : []),
];
for (const { verdict, words } of findings) process.stdout.write(`${verdict.padEnd(4)}  ${words}\n`);

const count = (verdict: string) => findings.filter((one) => one.verdict === verdict).length;
const [bad, notes] = [count('bad'), count('note')];
process.stdout.write(
  bad > 0
    ? `\nNot good: ${bad} of ${findings.length} lines say "bad". Mend them, and run this again.\n`
    : `\nGood: the service can start.${notes > 0 ? ` Read the lines that say "note" (${notes}).` : ''}\n`,
);
process.exitCode = bad > 0 ? 1 : 0;
