/** What makes two spellings of a username one account: names that differ in case alone are one. */
export function toUsernameKey(username: string): string {
  return username.toLowerCase();
}
