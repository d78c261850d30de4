/**
 * How an administrator runs a command. A release has no npm: its launcher, whose name the environment gives, takes the
 * command. Examples: `account invite` is `npm run account -- invite`, or `seeother account invite`.
 */
export function toCommand(command: string): string {
  const launcher = process.env['LAUNCHER'];
  if (launcher !== undefined) return `${launcher} ${command}`;
  const [name, ...rest] = command.split(' ');
  return ['npm run', name, ...(rest.length === 0 ? [] : ['--', ...rest])].join(' ');
}
